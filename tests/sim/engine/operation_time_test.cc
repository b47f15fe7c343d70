#include "sim/engine/operation_time.h"

#include <gtest/gtest.h>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

using namespace literals;

TEST(GroupWait, GrowsWithTheRanksBeyondANode) {
  Stack stack;
  stack.latency_per_rank = 50_us;
  EXPECT_EQ(group_wait({.ranks = 8, .ranks_per_node = 8}, stack).value, 0.0);
  EXPECT_DOUBLE_EQ(group_wait({.ranks = 16, .ranks_per_node = 8}, stack).value, 16 * 50e-6);
}

}  // namespace
}  // namespace cubicbench::sim
