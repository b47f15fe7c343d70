#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/engine/bare_step.h"
#include "sim/truth/noise_and_failures.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

double share(int gpus, double jitter) {
  Cluster cluster = round_cluster(gpus);
  cluster.jitter = jitter;
  return straggler_share(cluster);
}

TEST(StragglerShare, IsTheExpectedSlowestBeyondANode) {
  EXPECT_EQ(share(1, 0.01), 0.0);
  EXPECT_EQ(share(8, 0.01), 0.0);
  EXPECT_NEAR(share(10, 0.01), 0.01 * (1.0 / 9.0 + 1.0 / 10.0), 1e-15);
  EXPECT_EQ(share(4096, 0.0), 0.0);
}

TEST(StragglerShare, OfPublishedJitterIsTwoToThreePercentAtScale) {
  // H_8 = 2.71786, H_n = ln n + 0.577216 + 1 / 2n: 8.60746 of 3,072 and 9.99364 of 12,288.
  EXPECT_NEAR(share(3072, field_jitter.gpu_mean), 0.0039037722 * (8.60746 - 2.71786), 1e-7);
  EXPECT_NEAR(share(12288, field_jitter.gpu_mean), 0.0039037722 * (9.99364 - 2.71786), 1e-7);
}

TEST(StragglerShare, LengthensTheStepOfAClusterWithJitterAndIsAPartOfIt) {
  Plan plan;
  plan.global_batch = 64;
  plan.sharding = Sharding::full_shard;
  Cluster cluster = round_cluster(64);
  cluster.device.memory = Bytes{1e18};
  Workspace workspace;
  const StepReport ideal = evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
  cluster.jitter = 0.01;
  const StepReport late = evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
  const auto part = [](const StepReport& report) {
    return report.parts[static_cast<std::size_t>(StepPart::stragglers)];
  };
  EXPECT_EQ(part(ideal).value, 0.0);
  EXPECT_NEAR(part(late) / ideal.step, straggler_share(cluster), 1e-12);
  EXPECT_NEAR(late.step / ideal.step, 1.0 + straggler_share(cluster), 1e-12);
}

}  // namespace
}  // namespace cubicbench::sim
