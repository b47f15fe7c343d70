#include "sim/engine/split_step.h"

#include <algorithm>
#include <cstddef>

#include "sim/engine/chunk_times.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/stage_cost.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

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
  if (!runs_pairs(shape.schedule) || times.pair[0] == Seconds{}) return;
  Seconds apart;
  for (std::size_t chunk = 0; chunk < 2; ++chunk) {
    apart +=
        times.forward[chunk] + times.backward[chunk] + times.weights[chunk] - times.pair[chunk];
  }
  take(static_cast<double>(shape.micro_batches - shape.stages) * apart, slowest);
}

}  // namespace

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

}  // namespace cubicbench::sim
