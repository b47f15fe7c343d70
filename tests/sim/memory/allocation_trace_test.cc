#include "sim/memory/allocation_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/memory/allocator_replay.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr PassTimes times{.layer_host = 1_ms,
                          .layer_forward = 2_ms,
                          .layer_backward = 4_ms,
                          .head = 1_ms,
                          .device_memory = 2000_GBps};

/// What nanotron keeps: with as many key heads as heads 20 h + 8 f + 4 a a token and layer.
Stack eager_stack() {
  Stack stack = round_stack();
  stack.kept_per_hidden = 12.0;
  stack.kept_per_hidden_whole = 8.0;
  stack.kept_per_kv = 8.0;
  stack.kept_per_ffn = 8.0;
  stack.pass_gradient_bytes = 2.0;
  stack.update_bytes = 4.0;
  stack.update_shard_bytes = 2.0;
  return stack;
}

/// Four layers of width 1,024 with round sizes: 2^10 tokens make every hidden-wide tensor 2 MiB.
Transformer small_model() {
  return {.layers = 4,
          .hidden = 1024,
          .attention_heads = 8,
          .kv_heads = 8,
          .head_size = 128,
          .ffn_hidden = 4096,
          .gated_ffn = true,
          .vocabulary = 8192,
          .sequence = 1024};
}

AllocationTrace traced(const Transformer& model, const Plan& plan, const Stack& stack, int gpus) {
  StepProgram program;
  lower(model, plan, round_cluster(gpus), stack, program);
  AllocationTrace trace;
  write_trace(model, plan, stack, program, program.runs.front(),
              program.allocations.holders().front(), times, trace);
  return trace;
}

/// Bytes of this part that live when `operation` begins for the first time.
double alive_at(const AllocationTrace& trace, TraceOperation operation, MemoryPart part) {
  std::vector<double> alive(trace.tensors, 0.0);
  for (const TraceEvent& event : trace.events) {
    if (event.action == TraceAction::begin && event.operation == operation) break;
    if (event.action == TraceAction::allocate) {
      alive[event.tensor] = event.part == part ? event.bytes : 0.0;
    } else if (event.action == TraceAction::release || event.action == TraceAction::release_late) {
      alive[event.tensor] = 0.0;
    }
  }
  double sum = 0.0;
  for (const double bytes : alive) sum += bytes;
  return sum;
}

double activations_at(const AllocationTrace& trace, TraceOperation operation) {
  return alive_at(trace, operation, MemoryPart::activations);
}

TEST(AllocationTrace, KeepsWhatTheStackKeepsFromForwardToBackward) {
  Plan plan{};
  plan.global_batch = 1;
  const double tokens = 1024.0;
  // 20 h + 8 f + 4 a a token and layer, and the input of the head: 2 h.
  const double layer = 20.0 * 1024.0 + 8.0 * 4096.0 + 4.0 * 8.0;
  const AllocationTrace trace = traced(small_model(), plan, eager_stack(), 1);
  EXPECT_DOUBLE_EQ(activations_at(trace, TraceOperation::head_forward),
                   tokens * (4.0 * layer + 2.0 * 1024.0));
}

TEST(AllocationTrace, KeepsInputsOnlyOfLayersThatRunAgain) {
  Plan plan{};
  plan.global_batch = 1;
  plan.recompute = Recompute::full;
  const AllocationTrace trace = traced(small_model(), plan, eager_stack(), 1);
  // Four inputs and that of the head, 2 h each.
  EXPECT_DOUBLE_EQ(activations_at(trace, TraceOperation::head_forward),
                   1024.0 * 5.0 * 2.0 * 1024.0);
}

TEST(AllocationTrace, ScalesWhatIsKeptToTheStack) {
  Plan plan{};
  plan.global_batch = 1;
  Stack stack = eager_stack();
  stack.kept_per_hidden = 10.0;
  stack.kept_per_kv = 4.0;
  stack.kept_per_ffn = 6.0;
  const AllocationTrace trace = traced(small_model(), plan, stack, 1);
  const double layer = 14.0 * 1024.0 + 6.0 * 4096.0 + 4.0 * 8.0;
  // All kept tensors shrink alike but the layers' inputs; each of those is the output before it.
  const double listed = 20.0 * 1024.0 + 8.0 * 4096.0 + 4.0 * 8.0;
  const double inputs = 2.0 * 1024.0;
  EXPECT_NEAR(activations_at(trace, TraceOperation::head_forward),
              1024.0 * (4.0 * (layer / listed * (listed - inputs) + inputs) + inputs), 64.0);
}

// Before the first layer and behind the last: they are gathered once a pass.
TEST(AllocationTrace, GathersWeightsOutsideTheLayersForAllOfAPass) {
  Plan plan{};
  plan.global_batch = 8;
  plan.data_parallel = 8;
  plan.sharding = Sharding::full_shard;
  plan.wrap = 1;
  plan.reshard_after_forward = 1;
  const Transformer model = small_model();
  const AllocationTrace trace = traced(model, plan, eager_stack(), 8);
  const double ends = 2.0 * 8192.0 * 1024.0;  // embedding and head
  for (const TraceOperation operation :
       {TraceOperation::attention_forward, TraceOperation::head_forward,
        TraceOperation::attention_backward}) {
    EXPECT_GE(alive_at(trace, operation, MemoryPart::unsharded_units), 2.0 * ends);
  }
}

/// Tensors that are allocated in the first micro-batch's first pass through this operation.
int allocated_in(const AllocationTrace& trace, TraceOperation operation) {
  int count = 0;
  bool in_it = false;
  for (const TraceEvent& event : trace.events) {
    if (event.action == TraceAction::begin) {
      if (in_it) return count;
      in_it = event.operation == operation;
    }
    count += in_it && event.action == TraceAction::allocate ? 1 : 0;
  }
  return count;
}

// Heads of one sequence lie as the product wants them; those of several have to be put in order.
TEST(AllocationTrace, CopiesHeadsOfSeveralSequences) {
  Plan one{};
  one.global_batch = 2;
  one.micro_batch = 1;
  Plan two = one;
  two.micro_batch = 2;
  const AllocationTrace alone = traced(small_model(), one, eager_stack(), 1);
  const AllocationTrace together = traced(small_model(), two, eager_stack(), 1);
  EXPECT_EQ(allocated_in(together, TraceOperation::attention_forward),
            allocated_in(alone, TraceOperation::attention_forward) + 1);
  EXPECT_EQ(allocated_in(together, TraceOperation::attention_backward),
            allocated_in(alone, TraceOperation::attention_backward) + 2);
}

/// Outputs of row-parallel products that the scatter reads, in a micro-batch's forward pass.
TEST(AllocationTrace, ScatteredSumsReturnLate) {
  Plan plan{};
  plan.tensor_parallel = 2;
  plan.sequence_parallel = true;
  plan.global_batch = 1;
  const AllocationTrace trace = traced(small_model(), plan, eager_stack(), 2);
  int late = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.action == TraceAction::begin && event.operation == TraceOperation::head_forward) {
      break;
    }
    late += event.action == TraceAction::release_late ? 1 : 0;
  }
  EXPECT_EQ(late, 2 * 4 + 1);  // two a layer, and the embedding's
}

TEST(AllocationTrace, MomentsComeWithTheFirstUpdate) {
  Plan plan{};
  plan.global_batch = 1;
  const AllocationTrace trace = traced(small_model(), plan, eager_stack(), 1);
  double before = 0.0;
  double after = 0.0;
  bool updated = false;
  for (const TraceEvent& event : trace.events) {
    updated |=
        event.action == TraceAction::begin && event.operation == TraceOperation::optimizer_step;
    if (event.action == TraceAction::allocate && event.part == MemoryPart::optimizer_state) {
      (updated ? after : before) += event.bytes;
    }
  }
  // Layers (4 h^2 + 3 h f + 2 h), two tables, a norm.
  const double parameters =
      4.0 * (4.0 * 1048576.0 + 3.0 * 4194304.0 + 2048.0) + 2.0 * 8192.0 * 1024.0 + 1024.0;
  EXPECT_NEAR(before, 4.0 * parameters, 1.0);
  // Norms are below what a trace holds.
  EXPECT_NEAR(after, 8.0 * parameters, 8.0 * 9.0 * 1024.0 + 64.0);
}

/// Whatever the plan: no tensor is taken twice or given back twice, micro-batches leave nothing
/// behind, and the allocator holds at least what is alive.
TEST(AllocationTrace, IsBalancedForAllPlans) {
  const Transformer model = llama_8b();
  const Cluster cluster = round_cluster(64);
  const Stack stack = eager_stack();
  StepProgram program;
  AllocationTrace trace;
  AllocatorReplay replay;
  for (const Plan& plan : assorted_plans(25)) {
    lower(model, plan, cluster, stack, program);
    for (std::size_t run = 0; run < program.runs.size(); ++run) {
      write_trace(model, plan, stack, program, program.runs[run],
                  program.allocations.holders()[run], times, trace);
      std::vector<MemoryPart> part(trace.tensors);
      std::vector<char> alive(trace.tensors, 0);
      for (const TraceEvent& event : trace.events) {
        if (event.action == TraceAction::allocate) {
          ASSERT_FALSE(alive[event.tensor]);
          alive[event.tensor] = 1;
          part[event.tensor] = event.part;
        } else if (event.action == TraceAction::release ||
                   event.action == TraceAction::release_late) {
          ASSERT_TRUE(alive[event.tensor]);
          alive[event.tensor] = 0;
        }
      }
      for (std::size_t i = 0; i < alive.size(); ++i) {
        if (!alive[i]) continue;
        EXPECT_NE(part[i], MemoryPart::activations);
        EXPECT_NE(part[i], MemoryPart::logits);
        EXPECT_NE(part[i], MemoryPart::unsharded_units);
      }
      const ReplayReport report = replay.run(trace, Bytes{1e15});
      EXPECT_FALSE(report.out_of_memory);
      EXPECT_GE(report.reserved, report.allocated);
      Bytes parts;
      for (const Bytes bytes : report.peak.parts) parts += bytes;
      EXPECT_EQ(parts, report.allocated);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
