#include "results/searches/search_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "results/regret/regret_json.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json best_json(const std::optional<search::BestTrial>& best) {
  if (!best) return {};
  Json config = Json::object();
  for (const auto& [name, value] : best->config) config[name] = support::parse_json(value, name);
  return {{"trial", best->trial}, {"value", best->value}, {"config", std::move(config)}};
}

}  // namespace

Json search_json(const search::SearchResult& result, const SearchJudgement& judgement) {
  Json document = support::new_document("search");
  document["studies"] = Json::array();
  for (const search::StudySummary& study : result.studies) {
    document["studies"].push_back({{"study", study.study},
                                   {"scenario", study.scenario},
                                   {"instance", study.instance},
                                   {"searcher", study.searcher},
                                   {"seed", study.seed},
                                   {"trials", study.trials},
                                   {"failed", study.failed},
                                   {"best", best_json(study.best)},
                                   {"cost_gpu_hours", study.cost_gpu_hours}});
    if (const StudyEnd* const end = judgement.find(study)) {
      document["studies"].back().update(study_end_json(*end));
    }
  }
  return document;
}

}  // namespace cubicbench::results
