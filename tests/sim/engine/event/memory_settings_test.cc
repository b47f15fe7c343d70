// Settings of FSDP that say how many gathered units lie in memory, and change no time.
#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

struct Evaluated {
  StepReport closed;
  StepReport played;
};

Evaluated evaluated(const Plan& plan, const Stack& stack) {
  const Cluster cluster = round_cluster(16);
  Workspace workspace;
  return {.closed = evaluate(llama_8b(), plan, cluster, stack, workspace),
          .played = play(llama_8b(), plan, cluster, stack, {}, workspace).step};
}

void expect_same_time(const StepReport& a, const StepReport& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.parts, b.parts);
}

TEST(MemorySettings, ChangeMemoryAloneOnBusyAndOnLateHosts) {
  for (const double host_factor : {1.0, 20.0}) {
    Stack stack = round_stack();
    stack.host_layer_forward = host_factor * stack.host_layer_forward;
    const Plan plan{
        .global_batch = 16, .sharding = Sharding::full_shard, .recompute = Recompute::full};
    const Evaluated base = evaluated(plan, stack);
    ASSERT_EQ(base.closed.status, StepStatus::ok);
    Plan ahead = plan;
    ahead.forward_prefetch = true;
    Plan unlimited = plan;
    unlimited.limit_all_gathers = false;
    for (const Plan& other : {ahead, unlimited}) {
      const Evaluated changed = evaluated(other, stack);
      expect_same_time(changed.closed, base.closed);
      expect_same_time(changed.played, base.played);
      EXPECT_GE(changed.closed.memory.demand, base.closed.memory.demand);
    }
    EXPECT_GT(evaluated(unlimited, stack).closed.memory.demand, base.closed.memory.demand);
  }
}

}  // namespace
}  // namespace cubicbench::sim
