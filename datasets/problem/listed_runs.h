#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::datasets {

/// One run of a table that counts: the codes of its parameters and what it came to.
struct Run {
  std::vector<std::int64_t> codes;
  scenarios::TrialOutcome outcome;
};

/// The space of the runs, and what happened in it.
struct ListedRuns {
  scenarios::SearchSpace space;
  std::shared_ptr<const scenarios::MeasuredOutcomes> measured;
  std::vector<scenarios::SpaceProblem> problems;  ///< there is no space if there is one
};

/// The configurations are those of the runs, and runs of one configuration its attempts in their
/// order. `parameters` come without values: they have those that occur, ascending.
ListedRuns listed_runs(std::vector<scenarios::ParameterSpec> parameters,
                       const std::vector<Run>& runs, const sim::Plan& base,
                       const scenarios::SpaceFacts& facts);

}  // namespace cubicbench::datasets
