#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "datasets/exhaustive/best_of_k_quantiles.h"

namespace cubicbench::datasets {
namespace {

TEST(BestRank, IsTheSmallestWithTheProbability) {
  // Two of five: all within rank i in C(i, 2) of C(5, 2) = 10 cases: 0, 1, 3, 6, 10.
  struct Case {
    double share;
    std::uint64_t without;
    std::uint64_t with;  // (i / 5)^2: 0.04, 0.16, 0.36, 0.64, 1
  };
  for (const Case& c : {Case{0.05, 2, 2}, Case{0.25, 3, 3}, Case{0.31, 4, 3}, Case{0.5, 4, 4},
                        Case{0.63, 5, 4}, Case{0.95, 5, 5}}) {
    SCOPED_TRACE(c.share);
    EXPECT_EQ(best_rank(5, 2, c.share, Replacement::without), c.without);
    EXPECT_EQ(best_rank(5, 2, c.share, Replacement::with), c.with);
  }
  // More draws than there are: without replacement all are drawn.
  EXPECT_EQ(best_rank(5, 7, 0.01, Replacement::without), 5U);
  EXPECT_EQ(best_rank(5, 7, 1e-6, Replacement::with), 1U);  // (1 / 5)^7 = 1.28e-5
  EXPECT_EQ(best_rank(1, 1, 0.5, Replacement::without), 1U);
}

/// P(all k of count ranks <= rank) in extended precision.
long double within(std::uint64_t rank, std::uint64_t count, std::uint64_t k,
                   Replacement replacement) {
  long double probability = 1.0L;
  for (std::uint64_t draw = 0; draw < k; ++draw) {
    const std::uint64_t gone = replacement == Replacement::without ? draw : 0;
    if (rank <= gone) return 0.0L;
    probability *= static_cast<long double>(rank - gone) / static_cast<long double>(count - gone);
  }
  return probability;
}

TEST(BestRank, IsExactForFewDrawsAndManyOfAnySpace) {
  for (const std::uint64_t count : {2ULL, 7ULL, 100ULL, 1009ULL, 19'614'976ULL, 1'000'000'007ULL}) {
    for (const std::uint64_t k : {1ULL, 2ULL, 5ULL, 90ULL, 300ULL, 1000ULL}) {
      for (const double share : {0.05, 0.25, 0.75, 0.95}) {
        for (const Replacement replacement : {Replacement::without, Replacement::with}) {
          if (replacement == Replacement::without && k >= count) continue;
          const std::uint64_t rank = best_rank(count, k, share, replacement);
          // Rounding may take a rank whose probability is the share itself.
          EXPECT_GE(within(rank, count, k, replacement), share * (1.0 - 1e-12))
              << count << " " << k;
          if (rank == 1) continue;
          EXPECT_LT(within(rank - 1, count, k, replacement), share * (1.0 + 1e-12));
        }
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::datasets
