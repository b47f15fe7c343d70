#pragma once

#include <cstdint>
#include <optional>

#include "datasets/exhaustive/best_found.h"
#include "datasets/exhaustive/valued_range.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// What a search by bounds found.
struct BoundedOptimum {
  BestFound best;             ///< count 0: nothing that runs
  bool complete = true;       ///< nothing is left that could be as good
  double bound = 0.0;         ///< no configuration is better
  std::uint64_t valued = 0;   ///< configurations whose value was computed
  std::uint64_t bounded = 0;  ///< parts of the space whose bound was computed
};

/// The best of a space and all that equal it, found by branch and bound: parts of the space whose
/// bound (scenarios/bounds/value_bound.h) is strictly worse than the best value known are left out,
/// the part with the best bound is looked at next [Land and Doig, Econometrica 28(3), 1960]. After
/// `limit` values, if any, what is left says the bound.
///
/// Goes in rounds of a fixed number of parts, each looked at with what was known when the round
/// began: the same answer and the same counts on any number of threads.
BoundedOptimum bounded_optimum(const scenarios::Instance& instance,
                               std::optional<std::uint64_t> limit, const ValuingRun& run);

}  // namespace cubicbench::datasets
