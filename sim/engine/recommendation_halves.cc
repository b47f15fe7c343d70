#include "sim/engine/recommendation_halves.h"

#include <cstddef>

#include "sim/engine/operation_time.h"
#include "sim/engine/weight_time.h"
#include "sim/kernels/memory_bound.h"

namespace cubicbench::sim {
namespace {

StepCost block_cost(const RecommendationProgram& program, const Block& block,
                    const StepContext& on) {
  StepCost cost;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    cost[op.part] += operation_time(op, program.group_of(op.stream), on.cluster, on.stack);
  }
  cost[StepPart::host] +=
      host_wait(cost.total(), launch_time(block, on.plan.compile, on.stack), on.stack);
  return cost;
}

/// Both passes over one arch, its weight traffic included.
struct ArchCost {
  StepCost forward;
  StepCost backward;
  StepCost once;
  Seconds forward_waits;  ///< of `once`, in the forward pass
};

/// `is_last`: its backward pass follows its forward pass at once.
ArchCost arch_cost(const RecommendationProgram& program, const ArchRun& run, bool is_last,
                   const StepContext& on) {
  ArchCost cost;
  const auto add = [&](StepCost& pass, double times, ArchBlock id) {
    if (times > 0.0) {
      pass.add(times, block_cost(program, run[id], on));
    }
  };
  add(cost.forward, run.layers, ArchBlock::layer_forward);
  add(cost.backward, run.recomputed_layers, ArchBlock::layer_recompute);
  add(cost.backward, run.layers, ArchBlock::layer_backward);
  WeightPasses passes{
      .forward = cost.forward.total(), .backward = cost.backward.total(), .turns = is_last};
  add(cost.forward, 1.0, ArchBlock::entry_forward);
  add(cost.backward, 1.0, ArchBlock::entry_backward);
  passes.inputs = cost.forward.total() - passes.forward;
  passes.inputs_backward = cost.backward.total() - passes.backward;
  if (run.weights.parameters <= 0.0) return cost;
  const WeightTime weights =
      weight_time({run.traffic, run.weights, run.groups}, passes, on.cluster, on.stack);
  cost.forward[StepPart::data_communication] += weights.forward;
  cost.backward[StepPart::data_communication] += weights.backward + weights.after;
  cost.once[StepPart::data_communication] += weights.begin + weights.last + weights.end;
  cost.forward_waits = weights.begin_beside;
  const Bytes streamed{program.optimizer_bytes_per_parameter * run.weights.parameters /
                       run.optimizer_shards};
  cost.once[StepPart::optimizer] += memory_bound_time(on.cluster.device, streamed);
  return cost;
}

/// What the step needs for its input.
void add_inputs(const RecommendationProgram& program, const StepContext& on, TableTime& time) {
  for (const EmbeddingBlock id : {EmbeddingBlock::input, EmbeddingBlock::ahead}) {
    const Block& block = program[id];
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Operation& op = program.operations[i];
      const Seconds alone = operation_time(op, program.tables, on.cluster, on.stack);
      time.input[op.part] += alone;
      if (op.kind == OperationKind::all_to_all) time.ids += alone;
    }
  }
  time.input_total = time.input.total();
}

/// What the step waits for of it: all of it by default, what a prefetched batch exceeds the step
/// by, and of a pipelined one what the batch, its ids and what else runs ahead exceed the step by
/// [TorchRec, train pipelines].
void wait_for_input(const TableTime& tables, StepCost& step) {
  const Seconds all = tables.input_total;
  switch (tables.pipeline) {
    case InputPipeline::none:
      step.add(1.0, tables.input);
      return;
    case InputPipeline::prefetch:
      step[StepPart::input] += max(tables.ids, all - tables.ids - step.total());
      return;
    case InputPipeline::pipelined:
      const Seconds exposed = max(Seconds{}, all - step.total());
      if (exposed.value > 0.0) step.add(exposed / all, tables.input);
      return;
  }
}

}  // namespace

DenseTime dense_time(const RecommendationProgram& program, const StepContext& on) {
  DenseTime time;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const ArchRun& run = program.archs[i];
    if (run.layers <= 0.0) continue;
    const bool is_last = i + 1 == module_group_count;  // every model has an over arch
    const ArchCost arch = arch_cost(program, run, is_last, on);
    time.cost.add(1.0, arch.forward);
    time.cost.add(1.0, arch.backward);
    time.cost.add(1.0, arch.once);
    if (static_cast<ModuleGroup>(i) != ModuleGroup::dense) continue;
    time.forward = arch.forward.total() + arch.forward_waits;
    time.backward = arch.backward.total();
  }
  return time;
}

TableTime table_time(const RecommendationProgram& program, const StepContext& on) {
  TableTime time;
  for (const EmbeddingBlock id : {EmbeddingBlock::fetch, EmbeddingBlock::lookup,
                                  EmbeddingBlock::update, EmbeddingBlock::average}) {
    time.cost.add(1.0, block_cost(program, program[id], on));
  }
  const auto total = [&](EmbeddingBlock id) {
    return block_cost(program, program[id], on).total();
  };
  time.exchange_forward = total(EmbeddingBlock::exchange_forward);
  time.exchange_backward = total(EmbeddingBlock::exchange_backward);
  add_inputs(program, on, time);
  time.pipeline = on.plan.input_pipeline;
  return time;
}

StepCost step_cost(const DenseTime& dense, const TableTime& tables, double retry_share) {
  StepCost step = dense.cost;
  step.add(1.0, tables.cost);  // no part of a step is of both
  step[StepPart::embedding_communication] +=
      max(Seconds{}, tables.exchange_forward - dense.forward) +
      max(Seconds{}, tables.exchange_backward - dense.backward);
  wait_for_input(tables, step);
  if (retry_share > 0.0) step[StepPart::allocator_retries] = retry_share * step.total();
  return step;
}

}  // namespace cubicbench::sim
