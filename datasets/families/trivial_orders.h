#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "datasets/landscape/judge.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Where a gap begins and ends, both as scores: greater is better.
struct Gap {
  double baseline = 0.0;
  double best = 0.0;

  /// The share of it that a value closes; what is worse than the baseline closes nothing.
  double closed(double score) const;
};

/// The share of the gap that the best of `draws` draws closes, expected, each a uniform one of
/// `rows` rows. Those of them that run have these scores, the best first.
double expected_closed(const Gap& gap, std::span<const double> running, std::uint64_t rows,
                       std::int64_t draws);

/// What orders that look at nothing close of the gap in a budget of launches: whoever lists a
/// space, lists it in some order, and may give away by it where the best is.
struct TrivialOrders {
  double listed = 0.0;   ///< configurations in the order of their numbers, from the first
  double corners = 0.0;  ///< first and last values of parameters, at random

  double best() const { return std::max(listed, corners); }
};

/// Of a scenario with a budget. Noise-free; corners are a fixed sample of some thousand.
TrivialOrders trivial_orders(const scenarios::Scenario& scenario, const Gap& gap,
                             const Judge& judge);

}  // namespace cubicbench::datasets
