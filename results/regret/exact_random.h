#pragma once

#include <cstddef>
#include <vector>

#include "datasets/exhaustive/best_rank.h"
#include "datasets/exhaustive/enumeration.h"

namespace cubicbench::results {

using datasets::Replacement;

/// The exact distribution of the best true value among k configurations drawn at random from a
/// space all of whose configurations were valued: not an average over searches that ran. Entry
/// k - 1 belongs to k draws. A draw that fails counts as failure_worth().
struct ExactRandom {
  std::vector<double> mean;
  /// With these probabilities the best is no better: 5, 25, 75 and 95 %.
  std::vector<double> p05;
  std::vector<double> p25;
  std::vector<double> p75;
  std::vector<double> p95;
};

/// The distribution for k = 1 .. length; shorter where the enumeration has fewer best_of_k, empty
/// where it has none. Without replacement more draws than there are configurations find the best.
///
/// All of it stands in the enumeration; one of an earlier version has means alone, and the
/// quantiles are empty.
ExactRandom exact_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement);

}  // namespace cubicbench::results
