#include "datasets/landscape/scenario_landscape.h"

namespace cubicbench::datasets {

ScenarioLandscape scenario_landscape(const scenarios::Scenario& scenario, std::uint64_t instance,
                                     std::uint64_t rows, int threads) {
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
          .landscape = landscape_of(scenario.space, truth_judge(truth, threads), question)};
}

}  // namespace cubicbench::datasets
