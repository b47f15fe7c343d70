#include <gtest/gtest.h>

#include "sim/program/lower_transformer.h"
#include "sim/program/weights.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr double parameters = 1'000'000.0;

/// Weights, gradients and optimizer state of a million parameters on one of `ranks` replicas, and
/// no gathered units.
double bytes_a_parameter(const Plan& plan, const Stack& stack, std::int64_t ranks, Moment moment) {
  const Group all{ranks, ranks};
  const WeightGroups groups{.replica = all, .shard = all, .replicate = {1, 1}, .reshard = all};
  const WeightTraffic traffic = weight_traffic(plan.sharding, plan, groups);
  WeightUnits weights;
  weights.parameters = parameters;
  AllocationTable table;
  table.begin_holder(0);
  add_weight_allocations(weights, plan.sharding, traffic, groups, plan, stack, false, table);
  double bytes = 0.0;
  for (const Allocation& allocation : table.of(table.holders().front())) {
    const bool held = allocation.part != MemoryPart::unsharded_units;
    bytes += held && is_alive(allocation, moment) ? allocation.bytes.value : 0.0;
  }
  return bytes / parameters;
}

Stack with_buckets_and_copies() {
  Stack stack;
  stack.bucket_bytes = 2.0;
  stack.update_bytes = 4.0;
  stack.update_shard_bytes = 2.0;
  return stack;
}

TEST(WeightState, IsExactByShardingReplicasAndMoment) {
  struct Case {
    const char* name;
    Sharding sharding;
    std::int64_t ranks;
    Moment moment;
    double bytes;
  };
  // 16-bit weights 2, fp32 gradients 4, fp32 master 4 and moments 8.
  for (const Case& c :
       {Case{"alone", Sharding::no_shard, 1, Moment::forward, 2 + 4 + 12.0},
        Case{"replicas reduce in 16-bit buckets", Sharding::no_shard, 4, Moment::forward, 20.0},
        Case{"one rank shares with nobody", Sharding::zero1, 1, Moment::optimizer_step, 18.0},
        Case{"shared state", Sharding::zero1, 4, Moment::forward, 6.0 + 12.0 / 4.0},
        Case{"and its update", Sharding::zero1, 4, Moment::optimizer_step, 10.0 + 14.0 / 4.0},
        Case{"everything shared", Sharding::full_shard, 4, Moment::forward, 16.0 / 4.0}}) {
    SCOPED_TRACE(c.name);
    Plan plan;
    plan.sharding = c.sharding;
    EXPECT_NEAR(bytes_a_parameter(plan, with_buckets_and_copies(), c.ranks, c.moment), c.bytes,
                1e-5);
  }
}

TEST(WeightState, OfFp16CarriesCopiesOfItsGradients) {
  Stack stack;
  stack.fp16_gradient_bytes = 2.0;
  stack.fp16_owned_gradient_bytes = 8.0;
  Plan plan;
  plan.sharding = Sharding::zero1;
  EXPECT_NEAR(bytes_a_parameter(plan, stack, 4, Moment::forward), 6.0 + 12.0 / 4.0, 1e-5);
  plan.param_dtype = Dtype::fp16;  // weights and gradients 4, of five fp32 copies a quarter
  EXPECT_NEAR(bytes_a_parameter(plan, stack, 4, Moment::forward), 4.0 + 20.0 / 4.0, 1e-5);
}

TEST(WeightState, OfShardsIn16BitsIsEightBytes) {
  Stack stack;
  stack.shard_weight_bytes = 2.0;
  stack.shard_gradient_bytes = 2.0;
  stack.adam_bytes = 4.0;
  Plan plan;
  plan.sharding = Sharding::full_shard;
  EXPECT_NEAR(bytes_a_parameter(plan, stack, 8, Moment::forward), 8.0 / 8.0, 1e-5);
  plan.optimizer = Optimizer::sgd;
  EXPECT_NEAR(bytes_a_parameter(plan, stack, 8, Moment::forward), 4.0 / 8.0, 1e-5);
}

// Weights 2, gradients 4, fp32 copy 4, and two moments of a byte with a scale for each 256.
TEST(WeightState, OfMomentsInEightBitsIsAQuarterOfThoseInThirtyTwo) {
  Plan plan;
  plan.optimizer = Optimizer::adam_8bit;
  EXPECT_NEAR(bytes_a_parameter(plan, Stack{}, 1, Moment::forward), 10.0 + 2.03125, 1e-5);
  plan.sharding = Sharding::full_shard;
  EXPECT_NEAR(bytes_a_parameter(plan, Stack{}, 8, Moment::forward), (8.0 + 2.03125) / 8.0, 1e-5);
  EXPECT_DOUBLE_EQ(optimizer_traffic(plan), 22.0 + 2.0 * 2.03125);
}

/// Bytes of one part of the first stage at one moment.
double first_stage(const Plan& plan, const Stack& stack, MemoryPart part, Moment moment) {
  StepProgram program;
  lower(llama_8b(), plan, round_cluster(64), stack, program);
  double bytes = 0.0;
  for (const Allocation& a : program.allocations.of(program.allocations.holders().front())) {
    bytes += a.part == part && is_alive(a, moment) ? a.bytes.value : 0.0;
  }
  return bytes;
}

TEST(WeightState, GradientsOfAPassGrowAsItsActivationsGo) {
  Plan plan;
  plan.tensor_parallel = 8;
  plan.sequence_parallel = true;
  plan.global_batch = 64;
  Stack stack = round_stack();
  const auto gradients = [&] {
    return first_stage(plan, stack, MemoryPart::gradients, Moment::backward);
  };
  const double accumulated = gradients();
  stack.pass_gradient_bytes = 2.0;
  EXPECT_EQ(gradients(), accumulated);  // 1.6 GiB of gradients take the place of 7 of activations
  plan.recompute = Recompute::full;     // 256 MiB of layers' inputs go
  const double rank = 32.0 * (218'112'000.0 - 8192.0) / 8.0 + 32.0 * 8192.0 +
                      2.0 * (126.0 * 128.0) * 4096.0 + 4096.0;  // 16,032 columns, padded
  const double inputs = 32.0 * 8192.0 * 2.0 * 4096.0 / 8.0;
  EXPECT_NEAR(gradients() - accumulated, 2.0 * rank - inputs, 2.0);
}

TEST(WeightState, LayersMayHaveRotaryTablesOfTheirOwn) {
  Plan plan;
  plan.global_batch = 64;
  Stack stack = round_stack();
  const double without = first_stage(plan, stack, MemoryPart::workspace, Moment::forward);
  stack.rotary_table_bytes = 2.0;
  // 32 layers, cosines and sines of 8,192 positions and 64 frequencies in 16 bits.
  EXPECT_EQ(first_stage(plan, stack, MemoryPart::workspace, Moment::forward) - without,
            32.0 * 2.0 * 8192.0 * 64.0 * 2.0);
}

}  // namespace
}  // namespace cubicbench::sim
