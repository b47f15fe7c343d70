#include "results/landscape/scenario_landscape.h"

#include <algorithm>
#include <cstddef>

#include "support/parallel.h"

namespace cubicbench::results {
namespace {

/// Asks `instance`, which must outlive the judge, on up to `threads` threads (0: all cores).
Judge truth_judge(const scenarios::Instance& instance, int threads) {
  return [&instance, threads](std::span<const std::uint64_t> numbers) {
    constexpr std::size_t block = 256;  // configurations that share a workspace
    const scenarios::SearchSpace& space = instance.scenario().space;
    std::vector<scenarios::TrueValue> values(numbers.size());
    support::parallel_for((numbers.size() + block - 1) / block, threads, [&](std::size_t b) {
      sim::Workspace workspace;
      scenarios::Configuration configuration(space.size());
      const std::size_t end = std::min(numbers.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        space.configuration_at(numbers[i], configuration);
        values[i] = instance.true_value(configuration, workspace);
      }
    });
    return values;
  };
}

}  // namespace

ScenarioLandscape scenario_landscape(const AskedScenario& asked, std::uint64_t instance,
                                     std::uint64_t rows, int threads) {
  const scenarios::Scenario& scenario = asked.scenario;
  const scenarios::Instance truth(scenario, instance);
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  sim::Workspace workspace;
  LandscapeQuestion question{.rows = rows, .direction = scenario.objective.direction};
  question.baseline = truth.true_value(scenario.baseline, workspace);
  if (placement.in_space()) {
    question.baseline_number = scenario.space.number_of(placement.configuration);
  }
  return {.scenario = truth.scenario(),
          .truth_sha256 = scenarios::truth_sha256(truth),
          .baseline = question.baseline,
          .asked = {.scenario = asked.asked, .instance = instance, .sets = asked.sets},
          .landscape = landscape_of(scenario.space, truth_judge(truth, threads), question)};
}

}  // namespace cubicbench::results
