#include "results/prediction/predict_json.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "results/document/json.h"
#include "results/prediction/merits.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using predictor::Judgement;
using predictor::MeanAndSd;

Json judgement_json(const Judgement& of) {
  std::vector<Column> columns{
      {"predictor", ""}, {"privileged", ""}, {"train", ""}, {"test", ""}, {"repeats", ""}};
  std::vector<Cell> cells{of.predictor, of.privileged, of.train, of.test, of.repeats};
  const auto add = [&](std::string key, Cell cell) {
    columns.push_back({std::move(key), ""});
    cells.push_back(std::move(cell));
  };
  for (const Merit& merit : merits()) {
    if (merit.in_json == Merit::InJson::no) continue;
    const bool has_sd = merit.in_json == Merit::InJson::mean_and_sd;
    const std::string& key = merit.column.key;
    const std::string mean_key = has_sd ? key + ".mean" : key;
    if (!merit.of(of)) {
      // Null stands for the whole object that would hold it.
      add(mean_key.substr(0, mean_key.rfind('.')), Cell());
      continue;
    }
    add(mean_key, merit.cell(of, &MeanAndSd::mean));
    if (has_sd) add(key + ".sd", merit.cell(of, &MeanAndSd::sd));
  }
  return json_of(columns, cells);
}

}  // namespace

Json predict_json(const predictor::JudgedDataset& judged) {
  Json document = support::new_document("predict");
  document["dataset"] = judged.dataset;
  document["split"] = name_of(judged.split);
  document["rows"] = judged.rows;
  document["results"] = Json::array();
  for (const Judgement& of : judged.judgements) document["results"].push_back(judgement_json(of));
  document["noise_ceiling"] = {{"kendall", json_of(Cell(judged.noise_ceiling_kendall))}};
  return document;
}

}  // namespace cubicbench::results
