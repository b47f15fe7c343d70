#include "sim/program/transformer_allocations.h"

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
  const double layer = layer_parameters(llama_8b());
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
  const double layer = kept_by_layer(llama_8b(), plan, Recompute::none, Stack{}, 8192.0);
  EXPECT_NEAR(held(plan, Stack{}, MemoryPart::activations, Moment::forward), 2.0 * layer, 1.0);
  EXPECT_GT(held(plan, Stack{}, MemoryPart::optimizer_state, Moment::forward), 0.0);
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

}  // namespace
}  // namespace cubicbench::sim
