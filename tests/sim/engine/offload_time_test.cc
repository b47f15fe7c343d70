#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/program/kept_activations.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Eight GPUs, one micro-batch of one sequence each, ZeRO-1; every so many layers are recomputed.
StepReport step(Offload offload, BytesPerSecond host_bandwidth, std::int64_t every = 0) {
  Cluster cluster = round_cluster(8);
  cluster.device.memory = 1000_GiB;
  cluster.device.host_bandwidth = host_bandwidth;
  Plan plan;
  plan.sharding = Sharding::zero1;
  plan.global_batch = 8;
  plan.offload = offload;
  plan.recompute = every > 0 ? Recompute::every_k : Recompute::none;
  plan.recompute_every = every;
  Workspace workspace;
  return evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
}

double part(const StepReport& report, StepPart which) {
  return report.parts[static_cast<std::size_t>(which)].value;
}

TEST(OffloadTime, CopiesThatHideBesideThePassesAreFree) {
  EXPECT_EQ(step(Offload::activations, 100'000_GBps).step, step(Offload::none, 25_GBps).step);
}

TEST(OffloadTime, SlowCopiesSetThePace) {
  // Two copies of all layers at 1 GB/s, each less its pass.
  const StepReport none = step(Offload::none, 1_GBps);
  const StepReport slow = step(Offload::activations, 1_GBps);
  const double copy =
      32.0 * kept_by_layer(llama_8b(), {}, Plan{}, Recompute::none, round_stack(), 8192.0) / 1e9;
  const double longer = (slow.step - none.step).value;
  EXPECT_LT(longer, 2.0 * copy);
  EXPECT_GT(longer, 2.0 * copy - none.step.value);
}

TEST(OffloadTime, LayersThatAreNotRecomputedAreCopiedWhole) {
  const auto all = step(Offload::activations, 1_GBps);
  EXPECT_EQ(step(Offload::activations, 1_GBps, 64).step, all.step);  // of 32 layers: none
  const double whole =
      kept_by_layer(llama_8b(), {}, Plan{}, Recompute::none, round_stack(), 8192.0);
  const double input = 2.0 * 8192.0 * 4096.0;
  // One of 32 layers keeps its input alone; its second forward pass hides under the copy.
  EXPECT_NEAR((all.step - step(Offload::activations, 1_GBps, 32).step).value,
              2.0 * (whole - input) / 1e9, 1e-9);
}

TEST(OffloadTime, TheOptimizersGradientsGoAndItsWeightsComeBack) {
  // fp32 gradients there and 16-bit weights back, of an eighth of all parameters.
  const StepReport report = step(Offload::optimizer, 10_GBps);
  const double owned = total_parameters(llama_8b()) / 8.0;
  EXPECT_NEAR(part(report, StepPart::optimizer), (4.0 + 2.0) * owned / 10e9, 1e-6);
}

}  // namespace
}  // namespace cubicbench::sim
