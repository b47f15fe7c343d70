#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/exhaustive/random_studies.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::datasets {

/// What the best of k draws does not exceed in quality with a probability of 5, 25, 75 and 95 %.
struct BestQuantiles {
  double p05 = 0.0;
  double p25 = 0.0;
  double p75 = 0.0;
  double p95 = 0.0;

  bool operator==(const BestQuantiles&) const = default;
};

/// The best of k configurations drawn at random, on average. A draw that fails counts as 0 where
/// more is better and as the worst value of the space where less is.
struct BestOfK {
  std::int64_t k = 1;
  double with_replacement = 0.0;
  double without_replacement = 0.0;  ///< of k at least the number of configurations: the best
  std::optional<BestQuantiles> with_quantiles = {};  ///< both or none
  std::optional<BestQuantiles> without_quantiles = {};

  bool operator==(const BestOfK&) const = default;
};

/// How many of the configurations that share the optimum are listed.
inline constexpr std::size_t optima_listed_max = 16;

/// The best true value of a space. Where the search for it was cut short, no configuration is
/// better than `bound`, and the best found is `value`, if `count` is not 0.
struct Optimum {
  double value = 0.0;
  std::vector<scenarios::ConfigText> configs;  ///< the first of those that reach it, by number
  std::uint64_t count = 0;  ///< how many reach it; where not certified, those found
  bool certified = true;    ///< `bound` equals `value`, and none is left out of `count`
  double bound = 0.0;

  bool operator==(const Optimum&) const = default;
};

/// Where the baseline lies among all configurations of its space.
struct BaselineRank {
  bool stated = true;  ///< false of a table of runs that names none; the rest is nothing then
  std::optional<double> value;  ///< nothing where it fails
  /// Of all configurations, those with a strictly better value; where it fails, all that do not.
  /// Nothing where not all were valued.
  std::optional<double> share_better;

  bool operator==(const BaselineRank&) const = default;
};

inline constexpr std::size_t quantile_count = 4097;

/// What is known of a space on one instance, without noise [docs/enumerate.md].
struct Enumeration {
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;
  std::int64_t instance = 0;
  std::string salt_sha256 = {};  ///< of a sealed instance, else empty
  std::uint64_t configurations = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rejected_by;  ///< assignments, by constraint
  /// Configurations that fail, by reason; empty where not all were valued.
  std::vector<std::pair<scenarios::Reason, std::uint64_t>> failures;
  std::optional<Optimum> optimum;  ///< nothing where every configuration fails
  BaselineRank baseline;
  /// Of the values of configurations that do not fail, ascending: entry i is the smallest value
  /// that at least a share i / 4096 of them do not exceed. Empty where not all were valued, or none
  /// runs.
  std::vector<double> quantiles;
  std::vector<BestOfK> best_of_k;  ///< k = 1, 2, ..., empty as `quantiles` is
  /// Random search under the noise and failures of launches; without curves where not all were
  /// valued, and in files of earlier versions.
  RandomSearchCurves random_search = {};
  scenarios::Objective objective;
  std::uint64_t valued = 0;  ///< how many values were computed, the baseline's apart
  /// Was every configuration valued, and its value counted? Where not, the optimum was found by
  /// bounds on parts of the space.
  bool exhaustive = true;
  /// Were values rounded by ValueSketch before they were counted? Then `quantiles` and `best_of_k`
  /// are worse than exact ones by less than its relative error, and everything else is exact.
  bool sketched = false;

  bool operator==(const Enumeration&) const = default;
};

}  // namespace cubicbench::datasets
