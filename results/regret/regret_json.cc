#include "results/regret/regret_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/studies/study_problem.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json spread_json(const std::optional<Spread>& spread) {
  if (!spread) return {};
  return {{"mean", spread->mean}, {"low", spread->low}, {"high", spread->high}};
}

Json failures_json(const StudyTally& tally) {
  Json failures = Json::object();
  for (const scenarios::Reason reason : failure_reasons) {
    const auto found = tally.failed_by_reason.find(reason);
    if (found == tally.failed_by_reason.end()) continue;
    failures[std::string(name_of(reason))] = {{"launches", found->second.launches},
                                              {"cost_gpu_hours", found->second.gpu_hours}};
  }
  return failures;
}

Json series_json(const SeriesRegret& series) {
  const StudyTally tally = series.tally();
  return {{"searcher", series.series},
          {"studies", series.ends.size()},
          {"launches", tally.all.launches},
          {"failed", tally.failed.launches},
          {"failures", failures_json(tally)},
          {"trials", tally.trials},
          {"duplicates", tally.duplicates},
          {"cost_gpu_hours", tally.all.gpu_hours},
          {"failed_gpu_hours", tally.failed.gpu_hours},
          {"gain_over_baseline", spread_json(series.gain())},
          {"regret", spread_json(series.final_regret())},
          {"observed_regret", spread_json(series.final_observed())},
          {"random_regret", spread_json(series.random())},
          {"share_within_1_percent", number_json(series.share_within_1_percent())},
          {"share_within_5_percent", number_json(series.share_within_5_percent())}};
}

Json optimum_json(const GroupRegret& regret) {
  Json optimum{{"note", regret.known.note}};
  if (!regret.known.command.empty()) optimum["command"] = regret.known.command;
  optimum["value"] = regret.scale ? Json(regret.scale->best) : Json();
  optimum["median"] = regret.scale ? Json(regret.scale->reference) : Json();
  return optimum;
}

}  // namespace

Json study_end_json(const StudyEnd& end) {
  const bool known = end.regret.has_value();
  return {{"failures", failures_json(end.tally)},
          {"duplicates", end.tally.duplicates},
          {"true_value", number_json(end.recommended)},
          {"gain_over_baseline", number_json(end.gain)},
          {"regret", known ? Json(end.regret->recommended.back()) : Json()},
          {"observed_regret", known ? Json(end.regret->observed.back()) : Json()},
          {"random_regret", number_json(end.random)}};
}

Json regret_json(const StudySet& set, const KnownSpaces& spaces, const CurveOptions& options) {
  Json problems = Json::array();
  for (const auto& studies : grouped_studies(set)) {
    const StudyProblem problem = problem_of(*studies.front());
    const StudyGroup group = group_of(studies, problem.objective.direction, options);
    const GroupRegret regret = group_regret(group, spaces, problem.baseline_value, options);
    Json searchers = Json::array();
    for (const SeriesRegret& series : regret.series) searchers.push_back(series_json(series));
    problems.push_back({{"scenario", group.scenario},
                        {"instance", group.instance},
                        {"optimum", optimum_json(regret)},
                        {"searchers", searchers}});
  }
  return problems;
}

}  // namespace cubicbench::results
