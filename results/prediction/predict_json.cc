#include "results/prediction/predict_json.h"

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using predictor::Judgement;
using support::MeanAndSd;

/// JSON has no NaN: what could not be computed is null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json spread_json(const MeanAndSd& of) { return {{"mean", number(of.mean)}, {"sd", number(of.sd)}}; }

Json spread_json(const std::optional<MeanAndSd>& of) { return of ? spread_json(*of) : Json(); }

/// {"1": .., "5": .., "10": ..}
template <std::size_t count>
Json of_top_ks(const MeanAndSd (&values)[count]) {
  static_assert(count == std::size(predictor::top_ks));
  Json object = Json::object();
  for (std::size_t i = 0; i < count; ++i) {
    object[std::to_string(predictor::top_ks[i])] = number(values[i].mean);
  }
  return object;
}

Json feasibility_json(const std::optional<Judgement::Feasibility>& of) {
  if (!of) return {};
  return {{"auroc", number(of->auroc.mean)},
          {"auprc", number(of->auprc.mean)},
          {"brier", number(of->brier.mean)}};
}

Json judgement_json(const Judgement& of) {
  return {{"predictor", of.predictor},
          {"privileged", of.privileged},
          {"train", of.train},
          {"test", of.test},
          {"repeats", of.repeats},
          {"kendall", spread_json(of.kendall)},
          {"spearman", spread_json(of.spearman)},
          {"pearson_log", spread_json(of.pearson_log)},
          {"mape", spread_json(of.mape)},
          {"top_k_recall", of_top_ks(of.top_k_recall)},
          {"regret_at", of_top_ks(of.regret_at)},
          {"within_gpu_count", {{"kendall", spread_json(of.within_gpu_count_kendall)}}},
          {"feasibility", feasibility_json(of.feasibility)}};
}

}  // namespace

Json predict_json(const predictor::JudgedDataset& judged) {
  Json document = support::new_document("predict");
  document["dataset"] = judged.dataset;
  document["split"] = name_of(judged.split);
  document["rows"] = judged.rows;
  document["results"] = Json::array();
  for (const Judgement& judgement : judged.judgements) {
    document["results"].push_back(judgement_json(judgement));
  }
  const std::optional<double>& ceiling = judged.noise_ceiling_kendall;
  document["noise_ceiling"] = {{"kendall", ceiling ? number(*ceiling) : Json()}};
  return document;
}

}  // namespace cubicbench::results
