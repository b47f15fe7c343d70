#include "results/regret/regret_json.h"

#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json optimum_json(const SearchedProblem& problem) {
  Json optimum{{"note", problem.known.note}};
  if (!problem.known.command.empty()) optimum["command"] = problem.known.command;
  const auto& scale = problem.yardstick.scale;
  optimum["value"] = scale ? Json(scale->best) : Json();
  optimum["median"] = scale ? Json(scale->reference) : Json();
  return optimum;
}

}  // namespace

Json regret_json(const StudySet& set, const KnownSpaces& spaces, const CurveOptions& options) {
  Json problems = Json::array();
  for (const SearchedProblem& problem : searched_problems(set, spaces, options)) {
    Json searchers = Json::array();
    for (const SearchedSeries& series : problem.series) {
      searchers.push_back(json_of(series.end, series_fields()));
    }
    problems.push_back({{"scenario", problem.study->scenario},
                        {"instance", problem.study->instance},
                        {"optimum", optimum_json(problem)},
                        {"searchers", searchers}});
  }
  return problems;
}

}  // namespace cubicbench::results
