#include "results/prediction/predict_csv.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "results/document/csv.h"
#include "results/prediction/merits.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;
using predictor::MeanAndSd;

/// `cell_of`: what the row has of each figure of merit.
std::vector<Cell> row(const JudgedDataset& judged, const Judgement& of, Cell repeat,
                      const std::function<Cell(const Merit&)>& cell_of) {
  const bool has_ceiling = repeat == Cell("mean");
  std::vector<Cell> cells{judged.dataset,   name_of(judged.split),
                          of.predictor,     of.privileged ? "true" : "false",
                          of.train,         of.test,
                          std::move(repeat)};
  for (const Merit& merit : merits()) cells.push_back(cell_of(merit));
  cells.push_back(has_ceiling ? Cell(judged.noise_ceiling_kendall) : Cell());
  cells.push_back(judged.rows);
  return cells;
}

}  // namespace

std::string predict_csv(const JudgedDataset& judged) {
  Table table{.columns = data_columns(
                  {"dataset", "split", "predictor", "privileged", "train", "test", "repeat"})};
  for (const Merit& merit : merits()) table.columns.push_back(merit.column);
  for (const char* const key : {"noise_ceiling_kendall", "rows"})
    table.columns.push_back({key, ""});
  for (const Judgement& of : judged.judgements) {
    table.rows.push_back(row(judged, of, "mean",
                             [&](const Merit& merit) { return merit.cell(of, &MeanAndSd::mean); }));
    table.rows.push_back(
        row(judged, of, "sd", [&](const Merit& merit) { return merit.cell(of, &MeanAndSd::sd); }));
    for (std::size_t repeat = 0; repeat < of.kendall_of_repeat.size(); ++repeat) {
      table.rows.push_back(row(judged, of, repeat, [&](const Merit& merit) {
        return merit.column.key == "kendall" ? Cell(of.kendall_of_repeat[repeat]) : Cell();
      }));
    }
  }
  return csv_of(table);
}

}  // namespace cubicbench::results
