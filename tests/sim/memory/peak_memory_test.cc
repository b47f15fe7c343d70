#include "sim/memory/peak_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/plan/plan.h"
#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

MemoryReport memory_of(const Plan& plan, const Transformer& model = llama_8b(),
                       const Stack& stack = round_stack()) {
  StepProgram program;
  lower(model, plan, round_cluster(64), stack, program);
  return peak_memory(program.allocations, communicators(program.mesh, plan), round_device(), stack);
}

Bytes part(const MemoryReport& report, MemoryPart which) {
  return report.parts[static_cast<std::size_t>(which)];
}

/// All data parallel on 64 GPUs: one rank holds the whole model.
Plan data_parallel_plan(Sharding sharding) {
  Plan plan{};
  plan.global_batch = 128;
  plan.sharding = sharding;
  return plan;
}

TEST(PeakMemory, PartsSumToAllocatedExactly) {
  for (const Plan& plan : assorted_plans(400)) {
    const MemoryReport report = memory_of(plan);
    Bytes sum;
    for (const Bytes bytes : report.parts) {
      sum += bytes;
    }
    EXPECT_EQ(sum, report.allocated);
    EXPECT_GE(report.reserved, report.allocated);
  }
}

TEST(PeakMemory, StatesAreTheTextbookBytesAParameter) {
  struct Case {
    Sharding sharding;
    double bytes;  // weights, accumulated gradients, master copy and moments, a parameter
  };
  // 64 ranks share. fp32 gradients throughout [ZeRO19, section 5; FSDP23, section 3.2].
  for (const Case& c :
       {Case{Sharding::no_shard, 2 + 4 + 12.0}, Case{Sharding::zero1, 2 + 4 + 12.0 / 64},
        Case{Sharding::shard_grad_op, 2 + 4 / 64.0 + 12.0 / 64},
        Case{Sharding::full_shard, 16.0 / 64}}) {
    const MemoryReport report = memory_of(data_parallel_plan(c.sharding));
    double held = (part(report, MemoryPart::parameters) + part(report, MemoryPart::gradients) +
                   part(report, MemoryPart::optimizer_state))
                      .value;
    double expected = c.bytes * total_parameters(llama_8b());
    if (c.sharding == Sharding::shard_grad_op) {  // gathered weights are a part of their own
      held += part(report, MemoryPart::unsharded_units).value;
    }
    const bool peaks_in_backward = report.moment == Moment::backward;
    if (traits(c.sharding).shards_gradients && peaks_in_backward) {
      expected += 4.0 * std::max(layer_parameters(llama_8b(), {}),
                                 2.0 * embedding_parameters(llama_8b()) + 4096.0);
    }
    EXPECT_NEAR(held / expected, 1.0, 1e-6) << static_cast<int>(c.sharding);
  }
}

TEST(PeakMemory, MoreShardingNeverHoldsMoreAtTheStart) {
  const Sharding ladder[] = {Sharding::no_shard, Sharding::zero1, Sharding::shard_grad_op,
                             Sharding::full_shard};
  Bytes previous{1e18};
  for (const Sharding sharding : ladder) {
    const Bytes now = memory_of(data_parallel_plan(sharding)).demand_at_start;
    EXPECT_LE(now, previous);
    previous = now;
  }
}

TEST(PeakMemory, MoreShardingNeverHoldsMoreStateInAnyStep) {
  Stack stack = round_stack();
  for (const bool with_buckets : {false, true}) {
    stack.bucket_bytes = with_buckets ? 2.0 : 0.0;
    Bytes previous{1e18};
    for (const Sharding sharding : {Sharding::no_shard, Sharding::zero1, Sharding::full_shard}) {
      const Plan plan = data_parallel_plan(sharding);
      StepProgram program;
      lower(llama_8b(), plan, round_cluster(64), stack, program);
      const Bytes now =
          stage_memory(program.allocations, StageChoice::largest, 2.0, stack).static_state;
      EXPECT_LT(now, previous);
      previous = now;
    }
  }
}

TEST(PeakMemory, IsTheLargestOfAllStages) {
  for (const Plan& plan : assorted_plans(300)) {
    StepProgram program;
    lower(llama_8b(), plan, round_cluster(64), round_stack(), program);
    const MemoryReport report =
        peak_memory(program.allocations, 1.0, round_device(), round_stack());
    Bytes largest;
    for (const Holder& holder : program.allocations.holders()) {
      largest = max(largest, peak_demand(program.allocations.of(holder), round_stack()).bytes);
    }
    EXPECT_EQ(report.demand, largest);
  }
}

TEST(PeakMemory, SumsWithoutAListAreThoseOfTheList) {
  const Stack stack = round_stack();
  for (const Plan& plan : assorted_plans(300)) {
    StepProgram program;
    lower(llama_8b(), plan, round_cluster(64), stack, program);
    const KeptByKinds kept = kept_by_kinds(llama_8b(), plan, stack);
    for (std::size_t i = 0; i < program.runs.size(); ++i) {
      AliveBytes alive;
      add_alive_weights(llama_8b(), plan, stack, program, program.runs[i], alive);
      add_alive_activations(llama_8b(), plan, stack, program, program.runs[i], kept, alive);
      const auto listed = program.allocations.of(program.allocations.holders()[i]);
      EXPECT_EQ(alive.state, alive_bytes(listed).state);
      EXPECT_EQ(alive.passing, alive_bytes(listed).passing);
      const Demands listed_demands = demands(listed, stack);
      EXPECT_EQ(start_demand(alive, stack), listed_demands.front());
      EXPECT_EQ(peak_bytes(alive, stack), peak_of(listed_demands).bytes);
    }
  }
}

TEST(PeakMemory, ACacheHoldsNoMoreThanTheDeviceHas) {
  // 100 bytes stay, and ZeRO-1's update takes twice its 40 in blocks of their own.
  Stack stack;
  stack.state_fragmentation = 1.0;
  stack.update_uncached = 2.0;
  AllocationTable table;
  table.begin_holder(0);
  table.add(MemoryPart::parameters, 100.0, always);
  table.add(MemoryPart::communication_buffers, 40.0, at(Moment::optimizer_step));
  Device device = round_device();
  for (const auto& [memory, reserved] : {std::pair{500.0, 220.0}, std::pair{150.0, 150.0}}) {
    device.memory = Bytes{memory};
    EXPECT_EQ(peak_memory(table, 0.0, device, stack).demand, Bytes{140.0});
    EXPECT_EQ(peak_memory(table, 0.0, device, stack).reserved, Bytes{reserved});
  }
}

TEST(PeakMemory, RecomputationNeverNeedsMoreActivations) {
  const auto activations = [](const Plan& plan) {
    StepProgram program;
    lower(llama_8b(), plan, round_cluster(64), round_stack(), program);
    Bytes most;
    for (const Holder& holder : program.allocations.holders()) {
      for (const Moment moment : {Moment::forward, Moment::backward}) {
        Bytes held;
        for (const Allocation& a : program.allocations.of(holder)) {
          const bool counts = a.part == MemoryPart::activations && is_alive(a, moment);
          held += counts ? a.bytes : Bytes{};
        }
        most = max(most, held);
      }
    }
    return most;
  };
  for (Plan plan : assorted_plans(200)) {
    plan.recompute = Recompute::none;
    const Bytes none = activations(plan);
    for (const Recompute mode :
         {Recompute::selective, Recompute::per_op, Recompute::full, Recompute::every_k}) {
      plan.recompute = mode;
      EXPECT_LE(activations(plan), none + Bytes{2.0});  // each allocation is rounded up
    }
  }
}

TEST(PeakMemory, SequenceParallelismNeverNeedsMoreThanTensorParallelismAlone) {
  for (Plan plan : assorted_plans(200)) {
    plan.sequence_parallel = false;
    const Bytes without = memory_of(plan).demand;
    plan.sequence_parallel = true;
    EXPECT_LE(memory_of(plan).demand, without);
  }
}

TEST(PeakMemory, RecomputationNeverKeepsMore) {
  for (Plan plan : assorted_plans(200)) {
    plan.recompute = Recompute::none;
    const double none = kept_by_layer(llama_8b(), {}, plan, plan.recompute, round_stack(), 8192.0);
    for (const Recompute mode :
         {Recompute::selective, Recompute::per_op, Recompute::full, Recompute::every_k}) {
      plan.recompute = mode;
      EXPECT_LE(kept_by_layer(llama_8b(), {}, plan, plan.recompute, round_stack(), 8192.0), none);
    }
  }
}

TEST(PeakMemory, SequenceParallelismNeverKeepsMore) {
  for (Plan plan : assorted_plans(200)) {
    plan.sequence_parallel = false;
    const double without =
        kept_by_layer(llama_8b(), {}, plan, plan.recompute, round_stack(), 8192.0);
    plan.sequence_parallel = true;
    EXPECT_LE(kept_by_layer(llama_8b(), {}, plan, plan.recompute, round_stack(), 8192.0), without);
  }
}

TEST(PeakMemory, KeptTensorsOfAnUnfusedGptLayerAreKorthikantis) {
  // sbh (34 + 5 a s / h) for a plain layer with dropout [Korthikanti22, Eq. 1]: 18 bytes times
  // hidden and 4 times an FFN of 4 h, less the 4 bytes a head that a fused kernel keeps.
  Stack stack = round_stack();
  stack.attention = AttentionKernel::unfused;
  stack.kept_per_hidden = 18.0;
  stack.kept_per_ffn_plain = 4.0;
  const Transformer gpt{.layers = 96,
                        .hidden = 12288,
                        .attention_heads = 96,
                        .kv_heads = 96,
                        .head_size = 128,
                        .ffn_hidden = 49152,
                        .vocabulary = 51200,
                        .sequence = 2048};
  const double token = 12288.0 * (34.0 + 5.0 * 96.0 * 2048.0 / 12288.0);
  EXPECT_NEAR(kept_by_layer(gpt, {}, Plan{}, Recompute::none, stack, 1.0) / token, 1.0, 0.001);
}

}  // namespace
}  // namespace cubicbench::sim
