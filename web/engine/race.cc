#include "web/engine/race.h"

#include <algorithm>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/problem/table_scenario.h"
#include "results/regret/known_spaces.h"
#include "scenarios/problem/granted_baseline.h"
#include "support/input_error.h"
#include "web/engine/racer.h"

namespace cubicbench::web {
namespace {

scenarios::Scenario read_problem(const RaceAsked& asked) {
  scenarios::Scenario scenario = datasets::read_scenario(asked.scenario, asked.sets);
  if (!scenario.measured && scenario.space.count() > 0) return scenario;
  throw support::InputError(asked.scenario,
                            "expected a scenario with a model and a space to search");
}

/// Of instance 0 the reference that ships, of a small space what every configuration is worth.
std::optional<datasets::Enumeration> known_space(const RaceAsked& asked,
                                                 const scenarios::Scenario& scenario,
                                                 const std::string& truth_sha256) {
  if (asked.instance == 0) {
    auto shipped = results::shipped_reference(scenario.name, scenario.sha256);
    if (shipped && shipped->truth_sha256 == truth_sha256) return shipped;
  }
  if (scenario.space.count() > datasets::small_space_max) return std::nullopt;
  const scenarios::Instance instance(scenario, static_cast<std::uint64_t>(asked.instance));
  return datasets::value_small_space(instance, truth_sha256, asked.launches);
}

search::StudySpec spec_of(const RaceAsked& asked, const scenarios::Scenario& scenario,
                          const std::string& searcher) {
  return {.scenario = scenario.name,
          .instance = asked.instance,
          .searcher = search::parse_searcher(searcher, "request#/searchers"),
          .seed = asked.seed,
          .trials = asked.launches,
          .start = scenarios::granted_baseline(scenario) ? search::Start::baseline
                                                         : search::Start::none};
}

}  // namespace

Race::Race(const RaceAsked& asked)
    : asked_(asked),
      scenario_(read_problem(asked)),
      truth_sha256_(scenarios::truth_sha256(
          scenarios::Instance(scenario_, static_cast<std::uint64_t>(asked.instance)))),
      space_(known_space(asked, scenario_, truth_sha256_)) {
  for (const std::string& searcher : asked.searchers) {
    racers_.push_back(
        std::make_unique<Racer>(scenario_, spec_of(asked, scenario_, searcher), truth_sha256_));
  }
}

Race::~Race() = default;

std::vector<std::vector<RacedLaunch>> Race::step(std::int64_t launches) {
  std::vector<std::vector<RacedLaunch>> ended;
  for (const auto& racer : racers_) ended.push_back(racer->step(launches));
  return ended;
}

bool Race::is_done() const {
  return std::ranges::all_of(racers_, [](const auto& racer) { return racer->is_done(); });
}

std::optional<double> Race::baseline_value() const {
  const auto baseline = scenarios::granted_baseline(scenario_);
  if (!baseline) return std::nullopt;
  const scenarios::Instance instance(scenario_, static_cast<std::uint64_t>(asked_.instance));
  sim::Workspace workspace;
  const scenarios::TrueValue value = instance.true_value(*baseline, workspace);
  if (value.reason != scenarios::Reason::none) return std::nullopt;
  return value.value;
}

std::optional<search::RandomCurve> Race::random() const {
  // A search that recommends nothing, or what fails, has a throughput of 0; a time has no such
  // worst.
  if (!space_ || scenario_.objective.direction != scenarios::Direction::maximize) {
    return std::nullopt;
  }
  const bool from_baseline = scenarios::granted_baseline(scenario_).has_value();
  return search::launched_random(*space_, static_cast<std::size_t>(asked_.launches), from_baseline,
                                 0.0);
}

}  // namespace cubicbench::web
