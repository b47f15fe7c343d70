#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// The exact quantiles of the best of k draws, k = 1 .. K: their ranks are known before a value is
/// (datasets/exhaustive/best_rank.h), so one look at the sorted values finds all of them.
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
