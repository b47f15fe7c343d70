#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// May random search draw a configuration again? The suite's `random` does not unless told.
enum class Replacement { without, with };

/// The rank, from 1 for the worst, of the quantile of the best of k draws: the smallest i <= count
/// with P(all k of count ranks <= i) >= share. That probability is C(i, k) / C(count, k) without
/// replacement and (i / count)^k with it. More draws than there are ranks find the best without
/// replacement. Requires k >= 1, count >= 1 and a share in (0, 1).
std::uint64_t best_rank(std::uint64_t count, std::uint64_t k, double share,
                        Replacement replacement);

/// The exact quantiles of the best of k draws, k = 1 .. K: their ranks are known before a value is,
/// so one look at the sorted values finds all of them.
class BestOfKQuantiles {
 public:
  /// Of `configurations`, `failed` have no value. On up to `threads` threads, which change nothing.
  BestOfKQuantiles(scenarios::Direction direction, std::uint64_t configurations,
                   std::uint64_t failed, std::int64_t k_max, int threads);

  /// The values in ascending order; `up_to` of them are no greater than `value`.
  void add(double value, std::uint64_t up_to) {
    while (next_ < asked_.size() && asked_[next_].rank <= up_to) {
      answers_[asked_[next_++].answer] = value;
    }
  }

  /// Fills the entries for k = 1 .. K, after all values. `failure` is what a draw that fails counts
  /// as.
  void give(double failure, std::vector<BestOfK>& list);

 private:
  /// One quantile of one k.
  struct Asked {
    std::uint64_t rank = 0;  ///< among the values, ascending from 1; 0 of a failure
    std::size_t answer = 0;
  };

  std::vector<Asked> asked_;  ///< by rank
  std::size_t next_ = 0;
  std::vector<double> answers_;  ///< of each k those with replacement, then those without
};

}  // namespace cubicbench::datasets
