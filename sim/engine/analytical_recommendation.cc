#include <algorithm>

#include "sim/engine/analytical.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/step_cost.h"
#include "sim/engine/weight_time.h"
#include "sim/kernels/memory_bound.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_recommendation.h"

namespace cubicbench::sim {
namespace {

struct Machine {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

StepCost block_cost(const RecommendationProgram& program, const Block& block, const Machine& on) {
  StepCost cost;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    cost[op.part] += operation_time(op, program.world, on.cluster, on.stack);
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
};

ArchCost arch_cost(const RecommendationProgram& program, const ArchRun& run, const Machine& on) {
  ArchCost cost;
  const auto add = [&](StepCost& pass, double times, ArchBlock id) {
    if (times > 0.0) {
      pass.add(times, block_cost(program, run[id], on));
    }
  };
  add(cost.forward, run.layers, ArchBlock::layer_forward);
  add(cost.backward, run.recomputed_layers, ArchBlock::layer_recompute);
  add(cost.backward, run.layers, ArchBlock::layer_backward);
  WeightPasses passes{.forward = cost.forward.total(), .backward = cost.backward.total()};
  add(cost.forward, 1.0, ArchBlock::projection_forward);
  add(cost.backward, 1.0, ArchBlock::projection_backward);
  passes.inputs = cost.forward.total() - passes.forward;
  passes.inputs_backward = cost.backward.total() - passes.backward;
  const WeightTime weights =
      weight_time(run.traffic, run.weights, run.groups, passes, on.cluster, on.stack);
  cost.forward[StepPart::data_communication] += weights.forward;
  cost.backward[StepPart::data_communication] += weights.backward + weights.after;
  cost.once[StepPart::data_communication] += weights.begin + weights.last + weights.end;
  const Bytes streamed{program.optimizer_bytes_per_parameter * run.weights.parameters /
                       run.optimizer_shards};
  cost.once[StepPart::optimizer] += memory_bound_time(on.cluster.device, streamed);
  return cost;
}

/// What of the input a step waits for: nothing of it overlaps by default, a prefetched copy does,
/// and a pipelined exchange of ids does too [TorchRec, train pipelines]. No more can hide than
/// there is to hide under.
Seconds exposed_input(const RecommendationProgram& program, Seconds compute, const Machine& on) {
  Seconds copy;
  Seconds exchange;
  const Block& block = program[EmbeddingBlock::input];
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    const Seconds time = operation_time(op, program.world, on.cluster, on.stack);
    (op.kind == OperationKind::host_copy ? copy : exchange) += time;
  }
  switch (on.plan.input_pipeline) {
    case InputPipeline::none:
      return copy + exchange;
    case InputPipeline::prefetch:
      return max(exchange, copy - compute);
    case InputPipeline::pipelined:
      return max(Seconds{}, copy + exchange - compute);
  }
  return {};
}

/// The whole step [docs/models.md, Eq. R-3]: pooled rows travel beside the dense arch, which needs
/// none of them; the over arch waits for both.
StepCost step_cost(const RecommendationProgram& program, const Machine& on) {
  const ArchCost dense = arch_cost(program, program.dense, on);
  const ArchCost over = arch_cost(program, program.over, on);
  const auto exposed = [&](EmbeddingBlock id, const StepCost& under) {
    return max(Seconds{}, block_cost(program, program[id], on).total() - under.total());
  };
  StepCost step;
  for (const ArchCost* arch : {&dense, &over}) {
    step.add(1.0, arch->forward);
    step.add(1.0, arch->backward);
    step.add(1.0, arch->once);
  }
  step.add(1.0, block_cost(program, program[EmbeddingBlock::lookup], on));
  step.add(1.0, block_cost(program, program[EmbeddingBlock::update], on));
  step[StepPart::embedding_communication] +=
      exposed(EmbeddingBlock::exchange_forward, dense.forward) +
      exposed(EmbeddingBlock::exchange_backward, dense.backward);
  step[StepPart::input] += exposed_input(program, step.total(), on);
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
