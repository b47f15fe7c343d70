#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>

#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// What a trial is worth to a searcher that compares trials. Greater is better: every success is
/// better than every failure, and among failures the one that missed the memory limit by less,
/// where that is told.
struct Fitness {
  bool success = false;
  double value = 0.0;  ///< the score, or minus the bytes beyond the memory limit; never NaN

  auto operator<=>(const Fitness&) const = default;
};

inline Fitness fitness_of(const ToldTrial& trial) {
  const bool complete = trial.state == scenarios::TrialState::complete;
  if (complete && trial.score && !std::isnan(*trial.score)) return {true, *trial.score};
  if (trial.over_bytes && !std::isnan(*trial.over_bytes)) return {false, -*trial.over_bytes};
  return {false, -std::numeric_limits<double>::infinity()};
}

/// What share of `best` a score that is not better reaches, in [0, 1]: the ratio of two speeds, or
/// the inverse ratio of two times, which are told as negative scores. 0 where the signs differ.
inline double share_of(double score, double best) {
  if (score >= best) return 1.0;
  if (score > 0.0) return score / best;
  if (best < 0.0) return best / score;
  return 0.0;
}

}  // namespace cubicbench::search
