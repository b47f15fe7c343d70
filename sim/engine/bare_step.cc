#include "sim/engine/bare_step.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/slowest.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/pipeline_time.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

/// Messages that a stage sends for each micro-batch.
double messages_of(const SplitShape& shape, std::int64_t stage) {
  double count = 0.0;
  for (std::int32_t chunk = 0; chunk < shape.chunks(); ++chunk) {
    for (const PassKind kind : {PassKind::forward, PassKind::backward_input}) {
      count += sends(shape, stage, {.kind = kind, .chunk = chunk}) ? 1.0 : 0.0;
    }
  }
  return count;
}

/// Adds what senders stand still for. Returns the sum of a micro-batch.
Seconds add_sending(const SplitShape& shape, std::int64_t stage, Seconds held_up,
                    SplitStage& times) {
  Seconds sum;
  const auto chunks = static_cast<std::size_t>(shape.chunks());
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    PipelinePass pass{.chunk = static_cast<std::int32_t>(chunk)};
    const Seconds forward = sends(shape, stage, pass) ? held_up : Seconds{};
    pass.kind = PassKind::backward_input;
    const Seconds backward = sends(shape, stage, pass) ? held_up : Seconds{};
    times.forward[chunk] += forward;
    times.backward[chunk] += backward;
    const std::size_t other = chunks - 1 - chunk;
    if (times.pair[chunk] > Seconds{}) times.pair[chunk] += forward;
    if (times.pair[other] > Seconds{}) times.pair[other] += backward;
    sum += forward + backward;
  }
  return sum;
}

/// Takes time that is hidden after all out of what moves, and out of hosts.
void take(Seconds hidden, StepCost& slowest) {
  for (const StepPart part : {StepPart::expert_communication, StepPart::data_communication,
                              StepPart::host, StepPart::tensor_communication}) {
    const Seconds taken = max(min(hidden, slowest[part]), Seconds{});
    slowest[part] -= taken;
    hidden -= taken;
  }
}

/// What the pairs of a step hide.
void take_hidden(const SplitShape& shape, const SplitStage& times, StepCost& slowest) {
  if (!traits(shape.schedule).runs_pairs || times.pair[0] == Seconds{}) return;
  Seconds apart;
  for (std::size_t chunk = 0; chunk < 2; ++chunk) {
    apart +=
        times.forward[chunk] + times.backward[chunk] + times.weights[chunk] - times.pair[chunk];
  }
  take(static_cast<double>(shape.micro_batches - shape.stages) * apart, slowest);
}

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
      step.run = i;
      step.messages = program.stages > 1.0 ? 2.0 * program.chunks * m : 0.0;
      step.slowest = StepCost{};
      step.slowest.add(m, stage.slot);
      step.slowest.add(1.0, stage.once);
    }
  }
  step.total = pipeline.total();
  return step;
}

/// Of a schedule with split backward passes, stage by stage.
BareStep split_step(StepProgram& program, const BlockCosts& blocks,
                    std::span<const WeightCost> weights, const StepContext& on) {
  const SplitShape shape = split_shape(on.plan, static_cast<std::int64_t>(program.micro_batches));
  const Seconds hop = send_receive(program.boundary, program.mesh.pipeline, on.cluster.network);
  const double overlap = on.stack.pipeline_overlap;
  SplitTime pipeline(shape, overlap * hop, program.split);
  BareStep step;
  Seconds slot_max{-1.0};
  for (std::size_t i = 0; i < program.runs.size(); ++i) {
    const StageRun& run = program.runs[i];
    if (run.first >= shape.stages) break;  // the other half does the same
    StageCost cost = stage_cost(program, i, blocks, weights, hop, on);
    const SplitStage alike = chunk_times(program, run, blocks, cost, on.plan);
    const Seconds slot = cost.slot.total();
    const std::int64_t behind = std::min(run.first + run.stages, shape.stages);
    for (std::int64_t stage = run.first; stage < behind; ++stage) {
      SplitStage times = alike;
      const Seconds sending = add_sending(shape, stage, (1.0 - overlap) * hop, times);
      pipeline.set(stage, times);
      if (slot + sending <= slot_max) continue;
      slot_max = slot + sending;
      step.run = i;
      step.messages = static_cast<double>(shape.micro_batches) * messages_of(shape, stage);
      step.slowest = {};
      step.slowest.add(static_cast<double>(shape.micro_batches), cost.slot);
      step.slowest[StepPart::pipeline_communication] +=
          static_cast<double>(shape.micro_batches) * sending;
      step.slowest.add(1.0, cost.once);
      take_hidden(shape, times, step.slowest);
    }
  }
  step.total = pipeline.total();
  take(step.slowest.total() - step.total, step.slowest);
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

double straggler_share(const Cluster& cluster) {
  constexpr int gpus_of_node = 8;
  if (cluster.jitter <= 0.0) return 0.0;
  return slowest_mean(cluster.jitter, cluster.gpus) -
         slowest_mean(cluster.jitter, std::min(cluster.gpus, gpus_of_node));
}

}  // namespace cubicbench::sim
