#include <gtest/gtest.h>

#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// What the first stage holds of `part` at `moment`.
double held(const Plan& plan, const Stack& stack, MemoryPart part, Moment moment) {
  StepProgram program;
  lower(llama_8b(), plan, round_cluster(64), stack, program);
  double bytes = 0.0;
  for (const Allocation& allocation : program.allocations.of(program.allocations.holders()[0])) {
    const bool counts = allocation.part == part && is_alive(allocation, moment);
    bytes += counts ? allocation.bytes.value : 0.0;
  }
  return bytes;
}

Plan replicated(std::int64_t tensor, std::int64_t pipeline) {
  Plan plan;
  plan.tensor_parallel = tensor;
  plan.sequence_parallel = tensor > 1;
  plan.pipeline_parallel = pipeline;
  plan.sharding = Sharding::zero1;
  plan.accumulate_without_sync = true;
  plan.global_batch = 64 / (tensor * pipeline) * 8;
  return plan;
}

TEST(TransformerAllocations, ProductsReturnAGradientForEachMatrixOfALayerAndForTheHead) {
  const Plan plan = replicated(2, 1);
  const double without = held(plan, Stack{}, MemoryPart::gradients, Moment::loss);
  Stack stack;
  stack.returned_gradient_bytes = 2.0;
  // 2 bytes of one layer's weights and of the head's, on one of two ranks.
  const double layer = layer_parameters(llama_8b(), {});
  const double head = 128256.0 * 4096.0;
  const double at_loss = held(plan, stack, MemoryPart::gradients, Moment::loss) - without;
  EXPECT_NEAR(at_loss, 2.0 * (layer + head) / 2.0, 2e4);  // norms are whole on both
  const double later = held(plan, stack, MemoryPart::gradients, Moment::optimizer_step) - without;
  EXPECT_NEAR(later, 2.0 * layer / 2.0, 2e4);
}

TEST(TransformerAllocations, OutputsWaitForEveryMicroBatchInFlight) {
  const Plan plan = replicated(1, 4);
  const double without = held(plan, Stack{}, MemoryPart::activations, Moment::forward);
  Stack stack;
  stack.kept_per_micro_batch = 2.0;
  // Four micro-batches in flight on the first of four stages, 2 h bytes a token each.
  EXPECT_DOUBLE_EQ(held(plan, stack, MemoryPart::activations, Moment::forward) - without,
                   4.0 * 2.0 * 8192.0 * 4096.0);
  EXPECT_EQ(held(replicated(1, 1), stack, MemoryPart::activations, Moment::forward),
            held(replicated(1, 1), Stack{}, MemoryPart::activations, Moment::forward));
}

TEST(TransformerAllocations, GradientsAddUpInWhatTheyAreReducedIn) {
  Plan plan = replicated(1, 1);
  const double wide = held(plan, Stack{}, MemoryPart::gradients, Moment::forward);
  plan.reduce_dtype = Dtype::bf16;
  EXPECT_DOUBLE_EQ(held(plan, Stack{}, MemoryPart::gradients, Moment::forward), wide / 2.0);
}

TEST(TransformerAllocations, OffloadedActivationsAreTwoLayersAtATime) {
  Plan plan = replicated(1, 1);
  plan.offload = Offload::activations;
  const double layer = kept_by_layer(llama_8b(), {}, plan, Recompute::none, Stack{}, 8192.0);
  EXPECT_NEAR(held(plan, Stack{}, MemoryPart::activations, Moment::forward), 2.0 * layer, 1.0);
  EXPECT_GT(held(plan, Stack{}, MemoryPart::optimizer_state, Moment::forward), 0.0);
  plan.recompute = Recompute::full;  // two inputs, and in the backward pass one layer whole
  const double input = 2.0 * 8192.0 * 4096.0;
  EXPECT_NEAR(held(plan, Stack{}, MemoryPart::activations, Moment::forward), 2.0 * input, 1.0);
  EXPECT_NEAR(held(plan, Stack{}, MemoryPart::activations, Moment::backward), layer + input, 2.0);
}

TEST(TransformerAllocations, AnOffloadedOptimizerHoldsNothingOnTheDevice) {
  for (const Sharding sharding : {Sharding::zero1, Sharding::full_shard}) {
    Plan plan = replicated(1, 1);
    plan.sharding = sharding;
    plan.offload = Offload::both;
    EXPECT_EQ(held(plan, Stack{}, MemoryPart::optimizer_state, Moment::optimizer_step), 0.0);
    EXPECT_GT(held(plan, Stack{}, MemoryPart::parameters, Moment::optimizer_step), 0.0);
  }
}

/// Logits that the last stage holds at `moment`.
double last_logits(const Plan& plan, Moment moment) {
  StepProgram program;
  lower(llama_8b(), plan, round_cluster(64), Stack{}, program);
  double bytes = 0.0;
  for (const Allocation& allocation :
       program.allocations.of(program.allocations.holders().back())) {
    const bool counts = allocation.part == MemoryPart::logits && is_alive(allocation, moment);
    bytes += counts ? allocation.bytes.value : 0.0;
  }
  return bytes;
}

TEST(TransformerAllocations, UnderGPipeTheLossesOfAllMicroBatchesWait) {
  Plan plan = replicated(1, 4);  // eight micro-batches of a sequence
  const double logits = 8192.0 * 128256.0;
  EXPECT_EQ(last_logits(plan, Moment::backward), 0.0);
  const double one = last_logits(plan, Moment::loss);
  plan.schedule = Schedule::gpipe;
  EXPECT_DOUBLE_EQ(last_logits(plan, Moment::loss), one + 7.0 * 4.0 * logits);
  EXPECT_DOUBLE_EQ(last_logits(plan, Moment::backward), 7.0 * 4.0 * logits);
}

TEST(TransformerAllocations, AGatheredUnitIsAsLargeAsTheLargest) {
  Plan plan = replicated(1, 1);
  plan.sharding = Sharding::full_shard;
  plan.accumulate_without_sync = false;
  plan.backward_prefetch = BackwardPrefetch::none;
  const auto gathered = [&](std::int64_t layers_a_unit) {
    plan.wrap = layers_a_unit;
    return held(plan, Stack{}, MemoryPart::unsharded_units, Moment::forward);
  };
  const double layer = 2.0 * layer_parameters(llama_8b(), {});
  // Of 32 layers: units of 31 layers and one, of 16 twice, of all.
  EXPECT_NEAR(gathered(31) - gathered(16), 15.0 * layer, 1.0);
  EXPECT_NEAR(gathered(32) - gathered(31), layer, 1.0);
}

TEST(TransformerAllocations, FewerKeyHeadsThanRanksAreHeldOnceARank) {
  Stack stack;
  stack.kept_per_kv = 4.0;
  const auto keys = [&](std::int64_t tensor) {
    const Plan plan = replicated(tensor, 1);
    return (held(plan, stack, MemoryPart::activations, Moment::forward) -
            held(plan, Stack{}, MemoryPart::activations, Moment::forward)) /
           (32.0 * 8192.0 * 4.0 * 128.0);
  };
  EXPECT_DOUBLE_EQ(keys(1), 8.0);
  EXPECT_DOUBLE_EQ(keys(8), 1.0);
  EXPECT_DOUBLE_EQ(keys(16), 1.0);
}

}  // namespace
}  // namespace cubicbench::sim
