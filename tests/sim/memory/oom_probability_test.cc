#include <gtest/gtest.h>

#include "sim/memory/memory_report.h"

namespace cubicbench::sim {
namespace {

MemoryReport needs(double demand, double at_start = 0.0) {
  MemoryReport memory;
  memory.capacity = Bytes{1000.0};
  memory.demand = Bytes{demand};
  memory.demand_at_start = Bytes{at_start};
  return memory;
}

TEST(OomProbability, MarginIsOfTheMomentThatNeedsMost) {
  EXPECT_EQ(margin(needs(900.0)), Bytes{100.0});
  EXPECT_EQ(margin(needs(900.0, 950.0)), Bytes{50.0});
  EXPECT_EQ(margin(needs(1200.0)), Bytes{-200.0});
}

TEST(OomProbability, IsALogisticOfTheMargin) {
  EXPECT_NEAR(oom_probability(needs(954.0)), 0.5, 1e-12);              // 46 of 1000 are left
  EXPECT_NEAR(oom_probability(needs(954.0 + 52.0)), 0.7310586, 1e-6);  // e / (1 + e)
  EXPECT_NEAR(oom_probability(needs(954.0 - 52.0)), 0.2689414, 1e-6);
  EXPECT_LT(oom_probability(needs(500.0)), 0.001);
  EXPECT_GT(oom_probability(needs(1500.0)), 0.999);
}

TEST(DemandFactor, IsTheInverseOfTheProbability) {
  // u = 1/2 has logit 0, u = e / (1 + e) has logit 1.
  EXPECT_NEAR(demand_factor(0.5), 1.0 / 0.954, 1e-12);
  EXPECT_NEAR(demand_factor(0.731058578630005), 1.0 / (0.954 + 0.052), 1e-12);
  for (int i = 10; i < 990; ++i) {
    const double u = i / 1000.0;
    // A run of luck u that just fits: others of this demand fail with probability u.
    EXPECT_NEAR(oom_probability(needs(1000.0 / demand_factor(u))), u, 1e-12) << u;
  }
}

TEST(DemandFactor, IsLimitedWhereLuckEnds) {
  EXPECT_EQ(demand_factor(0.0), demand_factor(oom_luck_min));
  EXPECT_EQ(demand_factor(1.0 - 0x1p-53), demand_factor(oom_luck_max));
  // ln 999 = 6.906755: 1 / (0.954 -+ 0.052 x 6.906755)
  EXPECT_NEAR(demand_factor(oom_luck_min), 1.0 / 0.5948487, 1e-6);
  EXPECT_NEAR(demand_factor(oom_luck_max), 1.0 / 1.3131513, 1e-6);
}

TEST(OomProbability, OfADeviceWithoutRoomIsOne) {
  MemoryReport memory = needs(10.0);
  memory.capacity = Bytes{};
  EXPECT_EQ(oom_probability(memory), 1.0);
}

}  // namespace
}  // namespace cubicbench::sim
