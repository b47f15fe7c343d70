#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/enumeration.h"
#include "results/searcher_curves.h"
#include "scenarios/scenario.h"

namespace cubicbench::results {

/// May random search draw a configuration again? The suite's `random` does not unless told.
enum class Replacement { without, with };

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
/// The means are the enumeration's own. The quantile of share s is the value of rank i, counted
/// from the worst, the smallest i with P(all k ranks <= i) >= s, which is C(i, k) / C(N, k) without
/// replacement and (i / N)^k with it. Values of ranks come from the 4,097 quantiles: exact up to
/// 4,096 configurations that run, else of a rank that is off by less than 1 / 4,096 of those.
ExactRandom exact_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement, scenarios::Direction direction);

/// Does a figure of values show `exact`? Not where there is none or failed jobs are not counted.
bool shows_exact_space(const CurveOptions& options, const ExactRandom* exact);

/// Is the line of random search in a figure of values averaged over orders of its jobs?
bool averages_orders(const CurveOptions& options, const ExactRandom* exact);

/// The smallest i <= count with P(all k of count ranks <= i) >= share, see exact_random(). Requires
/// k >= 1, count >= 1 and a share in (0, 1).
std::uint64_t best_rank(std::uint64_t count, std::uint64_t k, double share,
                        Replacement replacement);

}  // namespace cubicbench::results
