#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/paper.h"
#include "cli/terminal/watched.h"
#include "datasets/problem/table_scenario.h"
#include "results/searches/search_document.h"
#include "search/backends/backend_factory.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using scenarios::CampaignStudies;
using support::InputError;
using support::Problem;

search::SearchPlan plan_of(const CampaignStudies& studies, const PaperRequest& request) {
  search::SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(studies.scenario));
  plan.backend = search::usual_backend(plan.scenarios);
  for (const std::string& searcher : studies.searchers) {
    plan.searchers.push_back(search::parse_searcher(searcher, "campaign"));
  }
  plan.trials = request.trials.value_or(studies.trials);
  plan.seeds = request.seeds.value_or(studies.seeds);
  plan.instances = studies.instances;
  plan.slots = studies.slots;
  plan.permute = studies.permute;
  return plan;
}

/// The plan is ours and sound, so what is wrong is what lies in the folder, or an option. Which
/// fields of another plan differ is nobody's concern here: one cannot go on from it.
InputError with_way_out(const InputError& error, const fs::path& folder, const fs::path& out) {
  Problems problems = error.problems();
  if (problems.front().where.starts_with("--")) return error;
  const std::string way_out =
      "; remove " + support::shortened(out.string()) + " or name another folder with --out";
  const std::string field = (folder / "plan.json").string() + "#";
  if (std::ranges::all_of(
          problems, [&](const Problem& problem) { return problem.where.starts_with(field); })) {
    return {out.string(),
            "made by an older campaign, another version or with other options" + way_out};
  }
  problems.push_back({folder.string(), "damaged or changed by hand" + way_out});
  return InputError(std::move(problems));
}

search::SearchResult run_studies(const search::SearchPlan& plan, const fs::path& folder,
                                 const PaperRequest& request) {
  const search::SearchRun run{
      .out = folder, .resume = true, .sync = false, .threads = request.global.threads};
  try {
    return run_watched(plan, run, request.global.quiet, "the same command");
  } catch (const InputError& error) {
    throw with_way_out(error, folder, request.out);
  }
}

}  // namespace

results::Document search_all(const scenarios::Campaign& campaign, const PaperRequest& request,
                             nlohmann::ordered_json& list) {
  results::Document searched{.title = ""};
  for (const CampaignStudies& studies : campaign.studies) {
    const search::SearchPlan plan = plan_of(studies, request);
    search::SearchResult result = run_studies(plan, request.out / studies.name, request);
    const results::SearchJudgement judgement =
        results::judge_search(request.out / studies.name, std::move(result.records));
    const nlohmann::ordered_json document = results::search_json(result, judgement);
    for (const auto& study : document["studies"]) list.push_back(study);
    results::add_search_tables(judgement, searched);
  }
  return searched;
}

}  // namespace cubicbench::cli
