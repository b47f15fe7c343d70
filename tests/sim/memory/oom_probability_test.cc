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

TEST(OomProbability, OfADeviceWithoutRoomIsOne) {
  MemoryReport memory = needs(10.0);
  memory.capacity = Bytes{};
  EXPECT_EQ(oom_probability(memory), 1.0);
}

}  // namespace
}  // namespace cubicbench::sim
