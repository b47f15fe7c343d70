#include "web/engine/race_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "web/engine/racer.h"

namespace cubicbench::web {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json optimum_json(const std::optional<datasets::Enumeration>& space) {
  if (!space || !space->optimum || !space->optimum->certified) return nullptr;
  return {{"value", space->optimum->value},
          {"source", space->exhaustive ? "every configuration was valued"
                                       : "bounds exclude every better configuration"}};
}

ordered_json random_json(const std::optional<search::RandomCurve>& random) {
  if (!random) return nullptr;
  return {{"mean", random->mean},
          {"p05", random->p05},
          {"p25", random->p25},
          {"p75", random->p75},
          {"p95", random->p95}};
}

ordered_json config_json(const scenarios::ConfigText& config) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, value] : config) json[name] = ordered_json::parse(value);
  return json;
}

ordered_json launch_json(const RacedLaunch& of, std::int64_t number) {
  const scenarios::TrialOutcome& outcome = of.finished.outcome;
  const bool failed = outcome.reason != scenarios::Reason::none;
  const std::optional<scenarios::TrueValue>& truth = of.finished.true_value;
  const bool is_known = truth && truth->reason == scenarios::Reason::none;
  return {{"launch", number},
          {"status", failed ? name_of(outcome.reason) : name_of(outcome.state)},
          {"value", or_null(outcome.value)},
          {"true_value", is_known ? ordered_json(truth->value) : ordered_json(nullptr)},
          {"best", or_null(of.best)},
          {"gpu_hours", of.gpu_hours}};
}

ordered_json racer_json(const Racer& racer, const std::vector<RacedLaunch>& ended) {
  const search::StudySummary& all = racer.summary();
  ordered_json recent = ordered_json::array();
  std::int64_t number = all.trials - std::ssize(ended);
  for (const RacedLaunch& launch : ended) recent.push_back(launch_json(launch, ++number));
  return {{"name", racer.name()},
          {"launches", all.trials},
          {"failed", all.failed},
          {"gpu_hours", all.cost_gpu_hours},
          {"best", or_null(racer.best())},
          {"config", config_json(racer.best_config())},
          {"recent", recent}};
}

}  // namespace

ordered_json begun_json(const Race& race) {
  const scenarios::Scenario& scenario = race.scenario();
  const bool more = scenario.objective.direction == scenarios::Direction::maximize;
  return {{"scenario", scenario.name},
          {"configurations", scenario.space.count()},
          {"gpus", scenario.cluster.gpus},
          {"objective", {{"metric", name_of(scenario.objective)}, {"more_is_better", more}}},
          {"baseline", or_null(race.baseline_value())},
          {"optimum", optimum_json(race.space())},
          {"random", random_json(race.random())}};
}

ordered_json step_json(const Race& race, const std::vector<std::vector<RacedLaunch>>& ended) {
  ordered_json searchers = ordered_json::array();
  for (std::size_t i = 0; i < ended.size(); ++i) {
    searchers.push_back(racer_json(*race.racers()[i], ended[i]));
  }
  return {{"is_done", race.is_done()}, {"searchers", searchers}};
}

}  // namespace cubicbench::web
