#include "sim/engine/operation_time.h"

#include <gtest/gtest.h>

#include <cstdint>

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

TEST(JitterWait, IsTheLatestOfTheTensorRanks) {
  Stack stack;
  stack.host_jitter = 300_us;
  stack.compiled_host_factor = 0.5;
  const Block backward{.begin = 0, .end = 0, .host_passes = 2.0};
  const auto wait = [&](std::int64_t ranks, bool compiled) {
    const Group group{.ranks = ranks, .ranks_per_node = 8};
    return jitter_wait(backward, group, compiled, stack).value;
  };
  EXPECT_EQ(wait(1, false), 0.0);
  EXPECT_NEAR(wait(4, false), 2.0 * 1.029 * 300e-6, 1e-15);
  EXPECT_NEAR(wait(16, true), 0.5 * 2.0 * 1.766 * 300e-6, 1e-15);
  stack.host_jitter = 0_s;
  EXPECT_EQ(wait(16, false), 0.0);
}

// 28 bytes a weight and 12 of experts that are stored elsewhere; to the host and back 6.
TEST(UpdateTime, IsOfWhatARankOwnsWhereverItLies) {
  Cluster cluster = round_cluster(1);
  Device& device = cluster.device;
  device.kernel_overhead = 0_s;
  device.memory_bandwidth = device.host_memory_bandwidth = device.storage_bandwidth = 1_GBps;
  device.memory_efficiency = 1.0;
  device.host_bandwidth = 1_GBps;
  StepProgram program;
  program.optimizer_bytes_per_parameter = 28.0;
  program.optimizer_shards = 4.0;
  program.expert_optimizer_shards = 2.0;
  StageRun run;
  run.weights.parameters = 4e6;
  run.expert_weights.parameters = 2e6;
  EXPECT_NEAR(update_time(program, run, cluster, Stack{}).value, 28.0 * (1e6 + 1e6) / 1e9, 1e-12);
  program.offloaded_bytes_per_parameter = 6.0;
  EXPECT_NEAR(update_time(program, run, cluster, Stack{}).value, 6.0 * (1e6 + 1e6) / 1e9, 1e-12);
  program.expert_host_bytes = 12.0;
  EXPECT_NEAR(update_time(program, run, cluster, Stack{}).value, 6.0 * 1e6 / 1e9, 1e-12);
  EXPECT_NEAR(stored_update_time(program, run, device).value, 12.0 * 1e6 / 1e9, 1e-12);
}

TEST(LaunchTime, IsOneGraphHoweverManyKernelsWhereLayersAreCaptured) {
  Block backward;
  backward.host_passes = 4.0;  // of quantised products
  Stack stack = round_stack();
  const Device device;
  EXPECT_DOUBLE_EQ(launch_time(backward, false, device, stack).value, 4.0 * 1e-3);
  stack.cuda_graphs = true;
  stack.host_jitter = 1_ms;
  const Group eight{.ranks = 8, .ranks_per_node = 8};
  for (const bool compiled : {false, true}) {
    EXPECT_DOUBLE_EQ(launch_time(backward, compiled, device, stack).value, 10e-6);
    EXPECT_EQ(jitter_wait(backward, eight, compiled, stack).value, 0.0);
  }
  const Block embedding;  // no layer
  EXPECT_EQ(launch_time(embedding, false, device, stack).value, 0.0);
}

TEST(LaunchTime, CountsKernelsOnTheHostOfTheDevice) {
  Block forward;
  forward.host_passes = 1.0;
  forward.launches = 37.0;
  Stack stack = round_stack();
  stack.launch = Seconds{50e-6};
  Device device;
  EXPECT_DOUBLE_EQ(launch_time(forward, false, device, stack).value, 37.0 * 50e-6);
  EXPECT_DOUBLE_EQ(launch_time(forward, true, device, stack).value, 37.0 * 50e-6);
  device.host_factor = 2.0;
  EXPECT_DOUBLE_EQ(launch_time(forward, false, device, stack).value, 37.0 * 100e-6);
}

TEST(KernelTime, OfProductsIsWhatADeviceReachesInTrainingWhereKernelsAreCounted) {
  Device device;
  device.matmul_peak.fill({1e12});
  device.memory_bandwidth = {1e15};
  device.gemm_efficiency = 0.8;
  device.gemm_share_fp8 = 0.5;
  const Operation product{.kind = OperationKind::gemm, .gemm = {1000.0, 1000.0, 1000.0}};
  Operation quantised = product;
  quantised.dtype = Dtype::fp8;
  Stack stack;
  EXPECT_NEAR(kernel_time(product, device, stack).value, 2e-3 / 0.8, 1e-9);
  device.training_efficiency = 0.6;
  device.training_share_fp8 = 0.9;
  EXPECT_NEAR(kernel_time(product, device, stack).value, 2e-3 / 0.8, 1e-9);
  stack.launch = Seconds{50e-6};
  EXPECT_NEAR(kernel_time(product, device, stack).value, 2e-3 / 0.6, 1e-9);
  EXPECT_NEAR(kernel_time(quantised, device, stack).value, 2e-3 / (0.6 * 0.9), 1e-9);
}

}  // namespace
}  // namespace cubicbench::sim
