// The rank with the longest histories, against figures by hand.
#include "sim/program/slowest_rank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/slowest.h"

namespace cubicbench::sim {
namespace {

ArchWork spread(double together) {
  ArchWork work;
  work.spread = {
      .tokens = 0.5, .attention = 1.0, .most = 2.0, .most_attention = 3.0, .together = together};
  return work;
}

Plan batch(std::int64_t samples) {
  Plan plan;
  plan.batch_per_gpu = samples;
  return plan;
}

TEST(SlowestRank, IsOutByTheLargestOfItsMean) {
  const double out = latest_of(16);
  const SlowestRank rank = slowest_rank(spread(0.0), batch(100), 16);
  EXPECT_DOUBLE_EQ(rank.tokens, 1.0 + out * 0.5 / 10.0);
  EXPECT_DOUBLE_EQ(rank.attention, 1.0 + out / 10.0);
}

TEST(SlowestRank, LargeBatchesDoNotEvenOutWhatTheyHaveInCommon) {
  const double out = latest_of(16);
  const SlowestRank rank = slowest_rank(spread(0.04), batch(1 << 20), 16);
  EXPECT_NEAR(rank.attention, 1.0 + out * 0.2, 1e-4);
}

TEST(SlowestRank, HasNoMoreThanTheLongestHistories) {
  const SlowestRank rank = slowest_rank(spread(1.0), batch(1), 1024);
  EXPECT_EQ(rank.tokens, 2.0);
  EXPECT_EQ(rank.attention, 3.0);
}

TEST(SlowestRank, WaitsForNobodyWhereLengthsAreEqualDealtOrAlone) {
  EXPECT_EQ(slowest_rank({}, batch(32), 16).attention, 1.0);
  EXPECT_EQ(slowest_rank(spread(0.1), batch(32), 1).attention, 1.0);
  Plan dealt = batch(32);
  dealt.length_balancing = true;
  EXPECT_EQ(slowest_rank(spread(0.1), dealt, 16).tokens, 1.0);
  EXPECT_EQ(slowest_rank(spread(0.1), dealt, 16).attention, 1.0);
}

}  // namespace
}  // namespace cubicbench::sim
