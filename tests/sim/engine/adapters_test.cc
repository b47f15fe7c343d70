#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/program/kept_activations.h"
#include "sim/program/layer_shape.h"
#include "sim/program/lower_transformer.h"
#include "sim/program/matrix_update.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

Plan sharded_plan(Sharding sharding) {
  Plan plan{};
  plan.sharding = sharding;
  plan.global_batch = 32;
  return plan;
}

StepReport step_of(const Transformer& model, const Plan& plan) {
  Cluster cluster = round_cluster(8);
  cluster.device.memory = Bytes{1e15};
  Workspace workspace;
  const StepReport report = evaluate(model, plan, cluster, round_stack(), workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report;
}

StepProgram lowered(const Transformer& model, const Plan& plan) {
  StepProgram program;
  lower(model, plan, round_cluster(8), round_stack(), program);
  return program;
}

double part(const StepReport& report, StepPart part) {
  return report.parts[static_cast<std::size_t>(part)].value;
}

double held(const StepReport& report, MemoryPart part) {
  return report.memory.parts[static_cast<std::size_t>(part)].value;
}

// 4,096 to 6,144 and 4,096, 4,096 to 28,672 and 14,336 to 4,096.
TEST(Adapters, WeighAsTheirProductsAreWide) {
  const double widths = 4096.0 + 6144.0 + 4096.0 + 4096.0 + 4096.0 + 28672.0 + 14336.0 + 4096.0;
  EXPECT_EQ(adapter_parameters(adapted_llama()), 16.0 * widths);
  EXPECT_EQ(total_parameters(adapted_llama()), total_parameters(llama_8b()) + 32.0 * 16.0 * widths);
  Transformer queries = adapted_llama();
  queries.adapters.products = {true, false, false, false};
  EXPECT_EQ(adapter_parameters(queries), 16.0 * (4096.0 + 6144.0));
}

// A frozen weight costs a product forward and one backward, a trained one two backward.
TEST(Adapters, ModelFlopsCountNoGradientOfFrozenWeights) {
  const double trained = 32.0 * adapter_parameters(adapted_llama());
  EXPECT_DOUBLE_EQ(
      mfu_flops_per_token(adapted_llama()),
      mfu_flops_per_token(llama_8b()) - 2.0 * mfu_parameters(llama_8b()) + 6.0 * trained);
}

TEST(Adapters, FrozenProductsHaveNoGradientOfWeights) {
  Plan plan{};
  plan.tensor_parallel = 2;
  const LayerShape shape = layer_shape(adapted_llama(), plan, round_stack(), {});
  ASSERT_EQ(shape.product_count, 12U);
  for (std::size_t i = 0; i < shape.product_count; ++i) {
    EXPECT_EQ(shape.list[i].frozen, i < 4) << i;
  }
  // Queries, keys and values by columns: A of half the rank, B of half the columns.
  EXPECT_EQ(shape.list[4].shape.n, 8.0);
  EXPECT_EQ(shape.list[4].shape.k, 4096.0);
  EXPECT_EQ(shape.list[5].shape.n, 3072.0);
  EXPECT_EQ(shape.list[5].shape.k, 16.0);
  // Attention's output by rows: A of half its input, B of half of its output.
  EXPECT_EQ(shape.list[6].shape.n, 16.0);
  EXPECT_EQ(shape.list[6].shape.k, 2048.0);
  EXPECT_EQ(shape.list[7].shape.n, 2048.0);
  double weights = 0.0;
  for (std::size_t i = 4; i < shape.product_count; ++i) {
    weights += shape.list[i].shape.n * shape.list[i].shape.k;
  }
  EXPECT_EQ(weights, rank_trained_parameters(adapted_llama(), plan, {}));
}

TEST(Adapters, NothingElseIsReducedUpdatedOrKeptTwice) {
  const Transformer model = adapted_llama();
  const double all = total_parameters(model);
  const double trained = 32.0 * adapter_parameters(model);
  const StepReport replicated = step_of(model, sharded_plan(Sharding::no_shard));
  EXPECT_NEAR(held(replicated, MemoryPart::parameters), 2.0 * all, 1e-9 * all);
  EXPECT_NEAR(held(replicated, MemoryPart::optimizer_state), 12.0 * trained, 1e-6 * trained);
  const StepProgram program = lowered(model, sharded_plan(Sharding::full_shard));
  EXPECT_NEAR(trained_parameters(program.runs[0].weights), trained, 1e-6 * trained);
  const StepReport sharded = step_of(model, sharded_plan(Sharding::full_shard));
  EXPECT_NEAR(held(sharded, MemoryPart::parameters), (2.0 * (all - trained) + 4.0 * trained) / 8.0,
              1e-9 * all);
  const StepReport whole = step_of(llama_8b(), sharded_plan(Sharding::full_shard));
  EXPECT_LT(part(sharded, StepPart::optimizer), 0.01 * part(whole, StepPart::optimizer));
}

// Of the gradients of inputs and weights, which cost the same, one is left.
TEST(Adapters, ProductsTakeTwoThirdsAndWhatAdaptersAdd) {
  const StepReport adapted = step_of(adapted_llama(), sharded_plan(Sharding::no_shard));
  const StepReport whole = step_of(llama_8b(), sharded_plan(Sharding::no_shard));
  const double share = part(adapted, StepPart::gemm) / part(whole, StepPart::gemm);
  EXPECT_GT(share, 2.0 / 3.0);
  EXPECT_LT(share, 0.8);
  EXPECT_EQ(part(adapted, StepPart::attention), part(whole, StepPart::attention));
}

// More rank is more work, and no rank changes what is frozen.
TEST(Adapters, GrowWithTheirRank) {
  Transformer wide = adapted_llama();
  wide.adapters.rank = 256;
  const Plan plan = sharded_plan(Sharding::zero1);
  const StepReport narrow = step_of(adapted_llama(), plan);
  const StepReport more = step_of(wide, plan);
  EXPECT_GT(more.step, narrow.step);
  EXPECT_GT(held(more, MemoryPart::optimizer_state), held(narrow, MemoryPart::optimizer_state));
  EXPECT_EQ(kept_by_layer(wide, {}, plan, Recompute::none, round_stack(), 1.0) -
                kept_by_layer(adapted_llama(), {}, plan, Recompute::none, round_stack(), 1.0),
            2.0 * 4.0 * (256.0 - 16.0));
}

// Muon updates A and B of each.
TEST(Adapters, AreAllMatricesThatAnOptimizerSees) {
  const HiddenMatrices matrices = hidden_matrices(adapted_llama(), Plan{}, {});
  EXPECT_EQ(matrices.count, 8U);
  EXPECT_EQ(rank_parameters(matrices), rank_trained_parameters(adapted_llama(), Plan{}, {}));
}

TEST(Adapters, BothEnginesAgree) {
  for (const Sharding sharding :
       {Sharding::no_shard, Sharding::zero1, Sharding::shard_grad_op, Sharding::full_shard}) {
    for (const std::int64_t stages : {1, 2}) {
      Plan plan = sharded_plan(sharding);
      plan.pipeline_parallel = stages;
      Cluster cluster = round_cluster(8);
      cluster.device.memory = Bytes{1e15};
      Workspace workspace;
      const double closed =
          evaluate(adapted_llama(), plan, cluster, round_stack(), workspace).step.value;
      EventOptions alone;
      alone.contention = false;
      const double played =
          play(adapted_llama(), plan, cluster, round_stack(), alone, workspace).step.step.value;
      EXPECT_NEAR(closed / played, 1.0, 0.01)
          << static_cast<int>(sharding) << " on " << stages << " stages";
    }
  }
}

// A token of a packed sequence attends to its own sample alone: half of 256 tokens on average.
TEST(PackedSamples, AttendWithinASample) {
  Transformer model = llama_8b();
  model.packed_sample = 256;
  EXPECT_EQ(attended_keys(model, Mixer::attention), 256.0);
  EXPECT_DOUBLE_EQ(mfu_flops_per_token(model),
                   6.0 * mfu_parameters(llama_8b()) + 6.0 * 32.0 * 4096.0 * 256.0);
  EXPECT_EQ(layer_shape(model, Plan{}, round_stack(), {}).attention.keys, 256.0);
  Stack unfused = round_stack();
  unfused.attention = AttentionKernel::unfused;
  EXPECT_EQ(layer_shape(model, Plan{}, unfused, {}).attention.keys, 8192.0);
  model.packed_sample = 8192;
  EXPECT_EQ(step_of(model, sharded_plan(Sharding::zero1)).step,
            step_of(llama_8b(), sharded_plan(Sharding::zero1)).step);
}

}  // namespace
}  // namespace cubicbench::sim
