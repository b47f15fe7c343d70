#include "sim/engine/bare_step.h"

#include <algorithm>
#include <cstddef>

#include "sim/engine/pipeline_time.h"
#include "sim/engine/split_step.h"
#include "sim/engine/stage_cost.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

/// Layers of a chunk that has neither end of the model, over those of its stage. An end takes the
/// place of the layers that its stage has less than others.
double even_share(const StepProgram& program, const StageRun& run, double layers_max) {
  const bool end = run.has_embedding != run.has_head;
  return (end && run.layers > 0.0 ? layers_max / run.layers : 1.0) / program.chunks;
}

/// From stages whose passes follow each other in closed form.
BareStep paced_step(const StepProgram& program, const BlockCosts& blocks,
                    std::span<const WeightCost> weights, const StepContext& on) {
  const double m = program.micro_batches;
  const Seconds hop = send_receive(program.boundary, program.mesh.pipeline, on.cluster.network);
  const double overlap = on.stack.pipeline_overlap;
  // Of each hop its sender stands still for what is not hidden.
  const Seconds held_up = (2.0 * program.chunks * (1.0 - overlap)) * hop;
  PipelineTime pipeline(on.plan.schedule, m, program.stages, program.chunks, overlap * hop);
  BareStep step;
  Seconds slot_max{-1.0};
  double layers_max = 0.0;
  for (const StageRun& run : program.runs) layers_max = std::max(layers_max, run.layers);
  for (std::size_t i = program.runs.size(); i-- > 0;) {
    const StageRun& run = program.runs[i];
    StageCost stage = stage_cost(program, i, blocks, weights, hop, on);
    stage.slot[StepPart::pipeline_communication] += held_up;
    stage.forward += 0.5 * held_up;
    stage.backward += 0.5 * held_up;
    const Seconds slot = stage.forward + stage.backward;
    const double share = even_share(program, run, layers_max);
    const Seconds even_forward = share * (stage.forward - stage.ends_forward);
    const Seconds even_backward = share * (stage.backward - stage.ends_backward);
    const Seconds even = even_forward + even_backward;
    const Seconds with_end = slot - (program.chunks - 1.0) * even;
    pipeline.add_before({.stages = static_cast<double>(run.stages),
                         .forward = stage.forward,
                         .backward = stage.backward,
                         .after = stage.after,
                         .even_forward = even_forward,
                         .even_backward = even_backward,
                         .first_chunk = run.has_embedding ? with_end : even,
                         .last_chunk = run.has_head ? with_end : even,
                         .begin = stage.begin,
                         .last = stage.last,
                         .between = stage.between,
                         .followed = stage.followed,
                         .end = stage.once.total() - stage.begin - stage.last});
    if (slot + stage.after >= slot_max) {
      slot_max = slot + stage.after;
      step.slowest = StepCost{};
      step.slowest.add(m, stage.slot);
      step.slowest.add(1.0, stage.once);
    }
  }
  step.total = pipeline.total();
  return step;
}

}  // namespace

BareStep bare_step(StepProgram& program, const BlockCosts& blocks,
                   std::span<const WeightCost> weights, const StepContext& on) {
  return splits_backward(on.plan.schedule) ? split_step(program, blocks, weights, on)
                                           : paced_step(program, blocks, weights, on);
}

StepCost delayed(const BareStep& step, bool pipelined, double retries, double stragglers) {
  StepCost parts = step.slowest;
  const Seconds idle = step.total - parts.total();
  parts[StepPart::pipeline_bubble] = pipelined ? max(idle, Seconds{}) : Seconds{};
  parts[StepPart::allocator_retries] = retries * parts.total();
  parts[StepPart::stragglers] = stragglers * parts.total();
  return parts;
}

}  // namespace cubicbench::sim
