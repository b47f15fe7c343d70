#include "scenarios/true_values.h"

#include <vector>

namespace cubicbench::scenarios {

TrueValues::TrueValues(const Instance& instance) : instance_(instance) {}

TrueValue TrueValues::at(std::span<const std::int64_t> configuration) {
  return instance_.scenario().measured ? measured(configuration)
                                       : instance_.true_value(configuration, workspace_);
}

TrueValue TrueValues::measured(std::span<const std::int64_t> configuration) const {
  const Scenario& scenario = instance_.scenario();
  const std::vector<TrialOutcome>& runs =
      scenario.measured->of_configuration[scenario.space.number_of(configuration)];
  double sum = 0.0;
  double ended = 0.0;
  for (const TrialOutcome& run : runs) {
    if (!run.value) continue;
    sum += *run.value;
    ended += 1.0;
  }
  if (ended == 0.0) return {.reason = runs.front().reason};
  return {.reason = Reason::none, .value = sum / ended};
}

}  // namespace cubicbench::scenarios
