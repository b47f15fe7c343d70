#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/search_space.h"
#include "scenarios/trial_outcome.h"

namespace cubicbench::datasets {

/// The best of k configurations drawn at random, on average. A draw that fails counts as 0 where
/// more is better and as the worst value of the space where less is.
struct BestOfK {
  std::int64_t k = 1;
  double with_replacement = 0.0;
  double without_replacement = 0.0;

  bool operator==(const BestOfK&) const = default;
};

/// The best true value of a space. Below `bound` nothing is claimed: where the search for it was
/// cut short, no configuration is better than `bound`, and the best found is `value`.
struct Optimum {
  double value = 0.0;
  std::vector<scenarios::Configuration> configs;  ///< all that reach it, the first few by number
  std::uint64_t count = 0;                        ///< how many reach it
  bool certified = true;                          ///< `bound` equals `value`
  double bound = 0.0;
};

/// Where the baseline lies among all configurations of its space.
struct BaselineRank {
  std::optional<double> value;  ///< nothing where it fails
  double share_better = 0.0;    ///< of all configurations, those with a strictly better value
};

inline constexpr std::size_t quantile_count = 4097;

/// What is known of a space all of whose configurations were valued, without noise, on one instance
/// [contracts.md, sections 4 and 6].
struct Enumeration {
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;
  std::int64_t instance = 0;
  std::uint64_t configurations = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rejected_by;  ///< assignments, by constraint
  std::vector<std::pair<scenarios::Reason, std::uint64_t>> failures;
  std::optional<Optimum> optimum;  ///< nothing where every configuration fails
  BaselineRank baseline;
  /// Of the values of configurations that do not fail, ascending: entry i is the smallest value
  /// that at least a share i / 4096 of them do not exceed. Empty where not all were valued.
  std::vector<double> quantiles;
  std::vector<BestOfK> best_of_k;  ///< k = 1, 2, ..., empty where not all were valued
};

}  // namespace cubicbench::datasets
