#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
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

/// One predictor on the test part of one repeat; names are those of Judgement.
struct RepeatScores {
  double kendall = 0.0;
  double spearman = 0.0;
  double pearson_log = 0.0;
  std::optional<double> mape{};
  double top_k_recall[std::size(top_ks)] = {};
  double regret_at[std::size(top_ks)] = {};
  std::optional<double> within_gpu_count_kendall;  ///< nothing where no GPU count has five jobs
  std::optional<double> kendall_of_total{};
  std::optional<double> spearman_of_total{};
  std::optional<double> pearson_of_total{};
};

/// What a predictor said, as natural logarithms of the value where `calibrated`, else as scores.
struct Predicted {
  std::vector<double> of_test;
  std::vector<double> of_train{};  ///< of scores only
  bool calibrated = true;
};

/// Requires at least one job on each side, all of them timed, and finite predictions.
RepeatScores score_repeat(const datasets::Dataset& data, const datasets::Split& split,
                          const Predicted& predicted);

struct FeasibilityScores {
  double auroc = 0.0;
  double auprc = 0.0;
  double brier = 0.0;
};

/// Of the probabilities that `jobs` fit. What is looked for is running out of memory.
FeasibilityScores score_feasibility(const datasets::Dataset& data,
                                    std::span<const std::size_t> jobs,
                                    std::span<const double> probabilities);

}  // namespace cubicbench::predictor
