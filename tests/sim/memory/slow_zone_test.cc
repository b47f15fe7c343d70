#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/memory/memory_report.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

MemoryReport filled_to(double share) {
  MemoryReport memory;
  memory.capacity = Bytes{100e9};
  memory.demand = Bytes{share * 100e9};
  return memory;
}

TEST(SlowZone, BeginsNearTheCapacityAndGrowsToTheCapacity) {
  EXPECT_EQ(retry_share(filled_to(0.2)), 0.0);
  EXPECT_EQ(retry_share(filled_to(0.95)), 0.0);
  EXPECT_NEAR(retry_share(filled_to(0.975)), 0.05, 1e-12);
  EXPECT_NEAR(retry_share(filled_to(1.0)), 0.10, 1e-12);
  EXPECT_EQ(retry_share(filled_to(1.2)), 0.10);
}

TEST(SlowZone, LengthensTheStepOfADeviceThatIsNearlyFull) {
  Plan plan;
  plan.global_batch = 128;
  plan.sharding = Sharding::full_shard;
  Workspace workspace;
  Cluster cluster = round_cluster(64);
  cluster.device.memory = Bytes{0x1p60};
  const StepReport roomy = evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
  // Capacity is what is left of the device: enough for reserved to fill 0.98 of it.
  const Bytes taken = cluster.device.memory - roomy.memory.capacity;
  cluster.device.memory = taken + Bytes{roomy.memory.demand.value / 0.98};
  const StepReport tight = evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
  ASSERT_EQ(tight.status, StepStatus::ok);
  EXPECT_NEAR(tight.step / roomy.step, 1.06, 1e-6);
  const Seconds retries = tight.parts[static_cast<std::size_t>(StepPart::allocator_retries)];
  EXPECT_NEAR(retries / roomy.step, 0.06, 1e-6);
}

}  // namespace
}  // namespace cubicbench::sim
