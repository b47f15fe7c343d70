#include "sim/engine/analytical.h"

#include <algorithm>
#include <variant>

#include "sim/engine/pipeline_time.h"
#include "sim/engine/split_step.h"
#include "sim/engine/stage_cost.h"
#include "sim/engine/straggler_share.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

/// Layers of a chunk that has neither end of the model, over those of its stage. An end takes the
/// place of the layers that its stage has less than others.
double even_share(const StepProgram& program, const StageRun& run, double layers_max) {
  const bool end = run.has_embedding != run.has_head;
  return (end && run.layers > 0.0 ? layers_max / run.layers : 1.0) / program.chunks;
}

/// Parts are those of the stage that computes longest; what of the step it does not fill is the
/// pipeline's bubble.
void report_time(StepCost slowest, Seconds total, const StepProgram& program, const StepContext& on,
                 StepReport& report) {
  const Seconds idle = total - slowest.total();
  slowest[StepPart::pipeline_bubble] = program.stages > 1.0 ? max(idle, Seconds{}) : Seconds{};
  slowest[StepPart::allocator_retries] = retry_share(report.memory) * slowest.total();
  slowest[StepPart::stragglers] = straggler_share(on.cluster) * slowest.total();
  report.parts = slowest.parts;
  report.step = slowest.total();
}

/// The whole step from the stages.
void assemble(const StepProgram& program, const BlockCosts& blocks, const StepContext& on,
              StepReport& report) {
  const double m = program.micro_batches;
  const Seconds hop = send_receive(program.boundary, program.mesh.pipeline, on.cluster.network);
  const double overlap = on.stack.pipeline_overlap;
  // Of each hop its sender stands still for what is not hidden.
  const Seconds held_up = (2.0 * program.chunks * (1.0 - overlap)) * hop;
  PipelineTime pipeline(on.plan.schedule, m, program.stages, program.chunks, overlap * hop);
  StepCost slowest;
  Seconds slot_max{-1.0};
  double layers_max = 0.0;
  for (const StageRun& run : program.runs) layers_max = std::max(layers_max, run.layers);
  for (auto run = program.runs.rbegin(); run != program.runs.rend(); ++run) {
    StageCost stage = stage_cost(program, *run, blocks, hop, on);
    stage.slot[StepPart::pipeline_communication] += held_up;
    stage.forward += 0.5 * held_up;
    stage.backward += 0.5 * held_up;
    const Seconds slot = stage.forward + stage.backward;
    const double share = even_share(program, *run, layers_max);
    const Seconds even_forward = share * (stage.forward - stage.ends_forward);
    const Seconds even_backward = share * (stage.backward - stage.ends_backward);
    const Seconds even = even_forward + even_backward;
    const Seconds with_end = slot - (program.chunks - 1.0) * even;
    pipeline.add_before({.stages = static_cast<double>(run->stages),
                         .forward = stage.forward,
                         .backward = stage.backward,
                         .after = stage.after,
                         .even_forward = even_forward,
                         .even_backward = even_backward,
                         .first_chunk = run->has_embedding ? with_end : even,
                         .last_chunk = run->has_head ? with_end : even,
                         .begin = stage.begin,
                         .last = stage.last,
                         .between = stage.between,
                         .followed = stage.followed,
                         .end = stage.once.total() - stage.begin - stage.last});
    if (slot + stage.after >= slot_max) {
      slot_max = slot + stage.after;
      slowest = StepCost{};
      slowest.add(m, stage.slot);
      slowest.add(1.0, stage.once);
    }
  }
  report_time(slowest, pipeline.total(), program, on, report);
}

}  // namespace

void time_step(StepProgram& program, const Plan& plan, const Cluster& cluster, const Stack& stack,
               StepReport& report) {
  const StepContext on{cluster, stack, plan};
  BlockCosts blocks;
  for (std::size_t i = 0; i < blocks.of.size(); ++i) {
    const Block& block = program.blocks[i];
    if (block.begin == block.end) continue;
    blocks.of[i] = block_cost(program, static_cast<BlockId>(i), on);
  }
  if (splits_backward(plan.schedule)) {
    const SplitStep step = split_step(program, blocks, on);
    return report_time(step.slowest, step.total, program, on, report);
  }
  assemble(program, blocks, on, report);
}

StepReport evaluate(const Transformer& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  StepProgram& program = workspace.program;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = program.micro_batches;
  report.memory =
      peak_memory(program.allocations, communicators(program.mesh, plan), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status != StepStatus::ok) {
    return report;
  }
  time_step(program, plan, cluster, stack, report);
  return report;
}

StepReport evaluate(const Workload& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return evaluate(kind, plan, cluster, stack, workspace); }, model);
}

}  // namespace cubicbench::sim
