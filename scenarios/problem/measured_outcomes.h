#pragma once

#include <vector>

#include "scenarios/problem/trial_outcome.h"

namespace cubicbench::scenarios {

/// What really happened to each configuration of a scenario whose space is a table of runs.
struct MeasuredOutcomes {
  /// By the configuration's number: its runs in the order of the file. A configuration that is
  /// launched more often begins again with the first. No entry is empty.
  std::vector<std::vector<TrialOutcome>> of_configuration;
};

}  // namespace cubicbench::scenarios
