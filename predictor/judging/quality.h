#pragma once

#include <cstddef>
#include <span>

#include "scenarios/problem/scenario.h"

namespace cubicbench::predictor {

/// Mean of |predicted - measured| / measured.
double mean_absolute_percentage_error(std::span<const double> predicted,
                                      std::span<const double> measured);

/// Share of the k best measured that are among the k best predicted. Equal predictions, and equal
/// measured values, are put in order at random: this is the expectation, so that a table's order
/// helps nobody. k is at least one, at most the number of entries.
double top_k_recall(std::span<const double> predicted, std::span<const double> measured,
                    std::size_t k, scenarios::Direction direction);

/// How much worse than the best of all the best of the k predicted best is, relative to the best:
/// (best - best of k) / best, turned round where less is better; 0 is perfect. Equal predictions
/// are put in order at random: this is the expectation.
double regret_at_k(std::span<const double> predicted, std::span<const double> measured,
                   std::size_t k, scenarios::Direction direction);

}  // namespace cubicbench::predictor
