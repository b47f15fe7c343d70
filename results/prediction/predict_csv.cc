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

Table empty_table() {
  Table table{.columns = {{"dataset", ""},
                          {"split", ""},
                          {"predictor", ""},
                          {"privileged", ""},
                          {"train", ""},
                          {"test", ""},
                          {"repeat", ""}}};
  for (const Merit& merit : merits()) table.columns.push_back(merit.column);
  table.columns.push_back({"noise_ceiling_kendall", ""});
  table.columns.push_back({"rows", ""});
  return table;
}

/// What a row has of each figure of merit.
using CellOf = std::function<Cell(const Merit&)>;

std::vector<Cell> row(const JudgedDataset& judged, const Judgement& of, Cell repeat,
                      const CellOf& cell_of, Cell ceiling = {}) {
  std::vector<Cell> cells{judged.dataset,   name_of(judged.split),
                          of.predictor,     of.privileged ? "true" : "false",
                          of.train,         of.test,
                          std::move(repeat)};
  for (const Merit& merit : merits()) cells.push_back(cell_of(merit));
  cells.push_back(std::move(ceiling));
  cells.push_back(judged.rows);
  return cells;
}

}  // namespace

std::string predict_csv(const JudgedDataset& judged) {
  Table table = empty_table();
  for (const Judgement& of : judged.judgements) {
    const auto figure = [&](double MeanAndSd::*member) {
      return [&of, member](const Merit& merit) { return merit.cell(of, member); };
    };
    table.rows.push_back(
        row(judged, of, "mean", figure(&MeanAndSd::mean), judged.noise_ceiling_kendall));
    table.rows.push_back(row(judged, of, "sd", figure(&MeanAndSd::sd)));
    for (std::size_t repeat = 0; repeat < of.kendall_of_repeat.size(); ++repeat) {
      table.rows.push_back(row(judged, of, repeat, [&](const Merit& merit) {
        return merit.column.key == "kendall" ? Cell(of.kendall_of_repeat[repeat]) : Cell();
      }));
    }
  }
  return csv_of(table);
}

}  // namespace cubicbench::results
