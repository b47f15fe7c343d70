#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/merge.h"
#include "results/searches/search_json.h"
#include "results/searches/search_text.h"
#include "search/folder/merge.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

/// As much of the plan as the table of its results shows.
search::SearchPlan shown_plan(const search::AskedSearch& asked) {
  search::SearchPlan plan;
  for (const search::AskedScenario& scenario : asked.scenarios) {
    plan.scenarios.emplace_back();
    plan.scenarios.back().name = scenario.name;
    plan.scenarios.back().objective = scenario.objective;
  }
  for (const std::string& searcher : asked.searchers) {
    plan.searchers.push_back(search::parse_searcher(searcher, "plan.json"));
  }
  return plan;
}

}  // namespace

Reply merge_searches(const MergeRequest& request) {
  const std::vector<std::filesystem::path> shards(request.inputs.begin(), request.inputs.end());
  const search::MergedSearch merged = search::merge_searches(shards, request.out);
  const results::SearchJudgement judgement(request.out, {});
  return request.global.json
             ? support::document_text(results::search_json(merged.result, judgement))
             : results::search_text(shown_plan(merged.asked), merged.result, request.out,
                                    judgement);
}

}  // namespace cubicbench::cli
