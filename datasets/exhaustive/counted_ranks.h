#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubicbench::datasets {

/// How many of something have each of the ranks 0 .. ranks - 1: a binary indexed tree [Fenwick94],
/// so that moving one and finding a quantile take log(ranks) steps.
class CountedRanks {
 public:
  explicit CountedRanks(std::size_t ranks) : sums_(ranks + 1) {}

  /// Requires rank < ranks, and that no count falls below 0.
  void add(std::size_t rank, std::int64_t more) {
    for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += more;
  }

  /// Those of lower rank. Requires rank <= ranks.
  std::int64_t below(std::size_t rank) const {
    std::int64_t sum = 0;
    for (std::size_t i = rank; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

  /// The smallest rank such that at least `count` have it or a lower one. Requires 1 <= count <=
  /// all.
  std::size_t rank_of(std::int64_t count) const {
    std::size_t at = 0;
    for (std::size_t step = std::bit_floor(sums_.size() - 1); step > 0; step /= 2) {
      if (at + step < sums_.size() && sums_[at + step] < count) {
        at += step;
        count -= sums_[at];
      }
    }
    return at;
  }

 private:
  std::vector<std::int64_t> sums_;  ///< entry i: of the i & -i ranks that end with rank i - 1
};

}  // namespace cubicbench::datasets
