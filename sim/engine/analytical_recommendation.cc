#include <algorithm>

#include "sim/engine/analytical.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/step_context.h"
#include "sim/engine/step_cost.h"
#include "sim/engine/weight_time.h"
#include "sim/kernels/memory_bound.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_recommendation.h"

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

/// What the step waits for of what its input needs: all of it by default, what a prefetched batch
/// exceeds the step by, and of a pipelined one what the batch, its ids and what else runs ahead
/// exceed the step by [TorchRec, train pipelines].
void add_input(const RecommendationProgram& program, const StepContext& on, StepCost& step) {
  StepCost input;
  Seconds ids;
  for (const EmbeddingBlock id : {EmbeddingBlock::input, EmbeddingBlock::ahead}) {
    const Block& block = program[id];
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Operation& op = program.operations[i];
      const Seconds time = operation_time(op, program.tables, on.cluster, on.stack);
      input[op.part] += time;
      if (op.kind == OperationKind::all_to_all) ids += time;
    }
  }
  const Seconds all = input.total();
  switch (on.plan.input_pipeline) {
    case InputPipeline::none:
      step.add(1.0, input);
      return;
    case InputPipeline::prefetch:
      step[StepPart::input] += max(ids, all - ids - step.total());
      return;
    case InputPipeline::pipelined:
      const Seconds exposed = max(Seconds{}, all - step.total());
      if (exposed.value > 0.0) step.add(exposed / all, input);
      return;
  }
}

/// The whole step [docs/models.md, Eq. R-3]: pooled rows travel beside the dense arch, which needs
/// none of them; the others wait for both.
StepCost step_cost(const RecommendationProgram& program, const StepContext& on) {
  StepCost step;
  ArchCost dense;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const ArchRun& run = program.archs[i];
    if (run.layers <= 0.0) continue;
    const bool is_last = i + 1 == module_group_count;  // every model has an over arch
    const ArchCost arch = arch_cost(program, run, is_last, on);
    step.add(1.0, arch.forward);
    step.add(1.0, arch.backward);
    step.add(1.0, arch.once);
    if (static_cast<ModuleGroup>(i) == ModuleGroup::dense) dense = arch;
  }
  const auto exposed = [&](EmbeddingBlock id, Seconds under) {
    return max(Seconds{}, block_cost(program, program[id], on).total() - under);
  };
  step.add(1.0, block_cost(program, program[EmbeddingBlock::fetch], on));
  step.add(1.0, block_cost(program, program[EmbeddingBlock::lookup], on));
  step.add(1.0, block_cost(program, program[EmbeddingBlock::update], on));
  step.add(1.0, block_cost(program, program[EmbeddingBlock::average], on));
  step[StepPart::embedding_communication] +=
      exposed(EmbeddingBlock::exchange_forward, dense.forward.total() + dense.forward_waits) +
      exposed(EmbeddingBlock::exchange_backward, dense.backward.total());
  add_input(program, on, step);
  return step;
}

}  // namespace

StepReport evaluate(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  RecommendationProgram& program = workspace.recommendation;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = 1.0;
  report.memory = peak_memory(program.allocations, program.communicators, cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status == StepStatus::ok) {
    StepCost step = step_cost(program, {cluster, stack, plan});
    step[StepPart::allocator_retries] = retry_share(report.memory) * step.total();
    report.parts = step.parts;
    report.step = step.total();
  }
  return report;
}

}  // namespace cubicbench::sim
