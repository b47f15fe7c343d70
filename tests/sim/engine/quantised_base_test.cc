// Adapters beside frozen weights in 4 bits (QLoRA).
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/engine/stage_cost.h"
#include "sim/plan/frozen_weights.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Of the four products of a layer: queries, keys and values; output; gate and up; down.
constexpr double product_weights =
    4096.0 * 6144.0 + 4096.0 * 4096.0 + 4096.0 * 28672.0 + 14336.0 * 4096.0;
constexpr double norm_weights = 2.0 * 4096.0;

Plan plan_of(Sharding sharding, bool quantises) {
  Plan plan{};
  plan.sharding = sharding;
  plan.global_batch = 32;
  plan.quantize_base = quantises;
  return plan;
}

Cluster roomy_cluster() {
  Cluster cluster = round_cluster(8);
  cluster.device.memory = Bytes{1e15};
  return cluster;
}

StepReport step_of(const Plan& plan) {
  Workspace workspace;
  const StepReport report =
      evaluate(adapted_llama(), plan, roomy_cluster(), round_stack(), workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report;
}

StepProgram lowered(const Plan& plan) {
  StepProgram program;
  lower(adapted_llama(), plan, roomy_cluster(), round_stack(), program);
  return program;
}

double part(const StepReport& report, StepPart part) {
  return report.parts[static_cast<std::size_t>(part)].value;
}

double held(const StepReport& report, MemoryPart part) {
  return report.memory.parts[static_cast<std::size_t>(part)].value;
}

double streamed(const StepProgram& program, const Block& block) {
  double bytes = 0.0;
  for (const Operation& op : operations_in(block, program.operations)) {
    if (op.kind == OperationKind::memory_bound) bytes += op.count * op.bytes.value;
  }
  return bytes;
}

// 4 + 8/64 + 32/(64 x 256) bits [QLoRA23, section 3].
TEST(QuantisedBase, WeighsFourBitsAndItsScales) {
  EXPECT_NEAR(8.0 * nf4_bytes, 4.127, 5e-4);
  EXPECT_EQ(frozen_saving(plan_of(Sharding::no_shard, false)), 0.0);
  EXPECT_EQ(frozen_saving(plan_of(Sharding::no_shard, true)), 2.0 - nf4_bytes);
}

// Embedding, head and last norm stay in 16 bits, as adapters do.
TEST(QuantisedBase, LeavesLayersAQuarterOfTheirBytes) {
  const double frozen = 32.0 * (product_weights + norm_weights);
  const double all = total_parameters(adapted_llama());
  const double expected = 2.0 * (all - frozen) + nf4_bytes * frozen;
  const StepReport report = step_of(plan_of(Sharding::no_shard, true));
  EXPECT_NEAR(held(report, MemoryPart::parameters), expected, 1e-9 * all);
  const double trained = 32.0 * adapter_parameters(adapted_llama());
  const StepReport sharded = step_of(plan_of(Sharding::full_shard, true));
  EXPECT_NEAR(held(sharded, MemoryPart::parameters), (expected + 2.0 * trained) / 8.0, 1e-9 * all);
}

// The widest product is of 4,096 to 28,672.
TEST(QuantisedBase, WidensTheWeightsOfOneProductAtATime) {
  const StepReport plain = step_of(plan_of(Sharding::no_shard, false));
  const StepReport report = step_of(plan_of(Sharding::no_shard, true));
  EXPECT_NEAR(held(report, MemoryPart::workspace) - held(plain, MemoryPart::workspace),
              2.0 * 4096.0 * 28672.0, 1.0);
}

// Read in 4 bits and written in 16, for each product forward, backward and where it runs again.
TEST(QuantisedBase, WidensWeightsBeforeEveryProductThatReadsThem) {
  Plan plan = plan_of(Sharding::no_shard, false);
  plan.recompute = Recompute::full;
  const StepProgram plain = lowered(plan);
  plan.quantize_base = true;
  const StepProgram program = lowered(plan);
  const double widened = (nf4_bytes + 2.0) * product_weights;
  for (const LayerPass pass : {LayerPass::forward, LayerPass::recompute, LayerPass::backward}) {
    LayerPasses<Block> before = plain.blocks.layers[0];
    LayerPasses<Block> after = program.blocks.layers[0];
    EXPECT_NEAR(streamed(program, of_pass(after, pass)) - streamed(plain, of_pass(before, pass)),
                widened, 1.0)
        << static_cast<int>(pass);
  }
}

TEST(QuantisedBase, GathersFourBitsOfFrozenWeights) {
  const StepProgram program = lowered(plan_of(Sharding::full_shard, true));
  const Cluster cluster = roomy_cluster();
  const WeightCost cost = weight_cost(program, program.runs[0], cluster, round_stack());
  const double trained = adapter_parameters(adapted_llama());
  const Bytes unit{nf4_bytes * (product_weights + norm_weights) + 2.0 * trained};
  const Seconds expected = all_gather(unit, program.mesh.weights.shard, cluster.network);
  EXPECT_NEAR(cost.unit.gather / expected, 1.0, 1e-9);
  const Bytes ends{2.0 * (2.0 * embedding_parameters(llama_8b()) + 4096.0)};
  EXPECT_NEAR(cost.ends.gather / all_gather(ends, program.mesh.weights.shard, cluster.network), 1.0,
              1e-9);
}

TEST(QuantisedBase, ChangesNothingElseOfAdapters) {
  for (const Sharding sharding : {Sharding::no_shard, Sharding::zero1}) {
    const StepReport plain = step_of(plan_of(sharding, false));
    const StepReport report = step_of(plan_of(sharding, true));
    EXPECT_GT(report.step, plain.step);
    EXPECT_GT(part(report, StepPart::memory_bound), part(plain, StepPart::memory_bound));
    for (const StepPart same : {StepPart::gemm, StepPart::attention, StepPart::optimizer,
                                StepPart::head_and_loss, StepPart::tensor_communication}) {
      EXPECT_EQ(part(report, same), part(plain, same)) << static_cast<int>(same);
    }
    for (const MemoryPart same : {MemoryPart::gradients, MemoryPart::optimizer_state,
                                  MemoryPart::activations, MemoryPart::logits}) {
      EXPECT_EQ(held(report, same), held(plain, same)) << static_cast<int>(same);
    }
  }
}

// 16 GB of weights in 16 bits beside everything else against 5.
TEST(QuantisedBase, FitsWhereFrozenWeightsOfSixteenBitsDoNot) {
  Plan plan = plan_of(Sharding::no_shard, false);
  plan.recompute = Recompute::full;
  Cluster cluster = round_cluster(8);
  cluster.device.memory = 18_GiB;
  Transformer model = adapted_llama();
  model.sequence = 2048;
  Workspace workspace;
  EXPECT_NE(evaluate(model, plan, cluster, round_stack(), workspace).status, StepStatus::ok);
  plan.quantize_base = true;
  EXPECT_EQ(evaluate(model, plan, cluster, round_stack(), workspace).status, StepStatus::ok);
}

TEST(QuantisedBase, NeedsFrozenWeights) {
  const Plan plan = plan_of(Sharding::no_shard, true);
  EXPECT_EQ(check(plan, llama_8b(), round_cluster(8)).rule, Rule::weights_frozen);
  EXPECT_FALSE(check(plan, adapted_llama(), round_cluster(8)));
}

TEST(QuantisedBase, BothEnginesAgree) {
  Workspace workspace;
  for (const Sharding sharding :
       {Sharding::no_shard, Sharding::zero1, Sharding::shard_grad_op, Sharding::full_shard}) {
    for (const std::int64_t stages : {1, 2}) {
      Plan plan = plan_of(sharding, true);
      plan.pipeline_parallel = stages;
      const Cluster cluster = roomy_cluster();
      const StepReport closed = evaluate(adapted_llama(), plan, cluster, round_stack(), workspace);
      EventOptions alone;
      alone.contention = false;
      const EventReport events =
          play(adapted_llama(), plan, cluster, round_stack(), alone, workspace);
      EXPECT_NEAR(closed.step / events.step.step, 1.0, 0.01)
          << static_cast<int>(sharding) << " on " << stages << " stages";
      EXPECT_EQ(events.step.memory.allocated, closed.memory.allocated);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
