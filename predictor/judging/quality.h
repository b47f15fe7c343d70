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

/// Of a classifier's scores: higher means more likely positive. Tied scores count half (AUROC) or
/// as one threshold (AUPRC: average precision, as scikit-learn has it). 0.5 and the positive share
/// where there is only one class.
double area_under_roc(std::span<const double> scores, std::span<const bool> positive);
double area_under_precision_recall(std::span<const double> scores, std::span<const bool> positive);
/// Mean of (probability - outcome)^2.
double brier_score(std::span<const double> probabilities, std::span<const bool> positive);

}  // namespace cubicbench::predictor
