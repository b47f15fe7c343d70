#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "predictor/forest/random_forest.h"
#include "search/constrained_gp/told_jobs.h"

namespace cubicbench::search {

/// How forests learn.
struct JobForestOptions {
  predictor::ForestGrowth growth{};
  bool memory = true;  ///< memory is a number where bytes are told
};

/// What forests expect of a configuration: a forest of the logarithm of the score of what ran, one
/// of memory where bytes are told, and one of whether jobs fail otherwise. Never changed once made.
class JobForests {
 public:
  JobForests(std::span<const predictor::LevelColumn> columns, std::span<const Job> jobs,
             const JobForestOptions& options);

  /// Is there anything to tell configurations apart by?
  bool informed() const { return value_ || memory_ || failure_; }

  /// The expected improvement on the best job that ran, times the probability to run; without one
  /// of them the other. At most `bound` of what is not above it may be wrong, but is not above.
  double worth(std::span<const std::uint8_t> levels, double bound) const;

  /// That it runs.
  double chance(std::span<const std::uint8_t> levels) const;

 private:
  std::optional<predictor::RandomForest> value_;
  std::optional<predictor::RandomForest> memory_;   ///< above 0 it does not fit
  std::optional<predictor::RandomForest> failure_;  ///< 1 where it fails, -1 where it runs
  double best_ = 0.0;
};

}  // namespace cubicbench::search
