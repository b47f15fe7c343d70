#include <algorithm>

#include "sim/engine/pipeline_time.h"

namespace cubicbench::sim {
namespace {

/// Layers of one chunk.
using ChunkLayers = PerKind<LayerCount>;

std::array<ChunkLayers, 2> layers_of(const StageRun& run, bool two) {
  if (!two) return {run.kinds, {}};
  ChunkLayers second = run.kinds;
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    second[kind].layers -= run.first_chunk[kind].layers;
    second[kind].recomputed -= run.first_chunk[kind].recomputed;
  }
  return {run.first_chunk, second};
}

Seconds time_of(const ChunkLayers& layers, double LayerCount::*count, const BlockCosts& blocks,
                StepCost LayerPasses<StepCost>::*pass) {
  Seconds time;
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    const double times = layers[kind].*count;
    if (times > 0.0) time += times * (blocks.layers[kind].*pass).total();
  }
  return time;
}

/// What a pair of passes saves over one after the other: layers meet as far as they are alike.
Seconds saved(const ChunkLayers& forward, const ChunkLayers& backward, const BlockCosts& blocks) {
  Seconds time;
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    const double layers = std::min(forward[kind].layers, backward[kind].layers);
    if (layers == 0.0) continue;
    const LayerPasses<StepCost>& passes = blocks.layers[kind];
    time += layers * (passes.forward.total() + passes.backward.total() +
                      passes.weight_gradients.total() - passes.pair.total());
  }
  return time;
}

/// No pass ends before its kept tensors are copied [docs/models.md, Eq. O-1]: a pair has two
/// copies, one each way.
void hold_for_copies(Seconds copy, std::size_t chunks, SplitStage& times) {
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Seconds whole = max(times.backward[chunk] + times.whole[chunk], copy);
    times.forward[chunk] = max(times.forward[chunk], copy);
    times.backward[chunk] = max(times.backward[chunk], copy);
    times.whole[chunk] = whole - times.backward[chunk];
    if (times.pair[chunk] > Seconds{}) times.pair[chunk] = max(times.pair[chunk], 2.0 * copy);
  }
}

}  // namespace

SplitStage chunk_times(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                       const StageCost& stage, const Plan& plan) {
  const bool two = program.chunks > 1.0;
  const std::array<ChunkLayers, 2> layers = layers_of(run, two);
  const std::size_t chunks = two ? 2 : 1;
  SplitStage times{.begin = stage.begin,
                   .last = stage.last,
                   .end = stage.once.total() - stage.begin - stage.last};
  // Once a step, buckets run beside whatever comes behind the first of their gradients.
  const bool once =
      !program.weights.in_units && !program.weights.schedule.reduces_each_micro_batch();
  if (once) {
    times.beside = stage.reduction - stage.reduction_bare;
    times.end += stage.reduction_bare - stage.reduced_last;
  }
  Seconds forward = stage.forward - stage.ends_forward;
  Seconds backward = stage.backward - stage.weight_gradients - stage.ends_backward;
  Seconds weights = stage.weight_gradients;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const auto time = [&](double LayerCount::*count, StepCost LayerPasses<StepCost>::*pass) {
      return time_of(layers[chunk], count, blocks, pass);
    };
    using Passes = LayerPasses<StepCost>;
    times.forward[chunk] = time(&LayerCount::layers, &Passes::forward);
    times.backward[chunk] = time(&LayerCount::layers, &Passes::backward) +
                            time(&LayerCount::recomputed, &Passes::recompute);
    times.weights[chunk] = time(&LayerCount::layers, &Passes::weight_gradients);
    forward -= times.forward[chunk];
    backward -= times.backward[chunk];
    weights -= times.weights[chunk];
  }
  const double share = 1.0 / static_cast<double>(chunks);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    times.forward[chunk] += share * forward;
    times.backward[chunk] += share * backward;
    times.weights[chunk] += share * weights;
  }
  times.forward[0] += stage.embedding;
  times.forward[run.has_head ? chunks - 1 : 0] += stage.ends_forward - stage.embedding;
  times.backward[run.has_head ? chunks - 1 : 0] += stage.ends_backward;
  // Of a chunk's buckets, what a pass does not hide.
  const auto exposed = [&](Seconds beside) {
    if (once) return Seconds{};
    return max(share * stage.reduction - beside, share * stage.reduction_bare);
  };
  const SplitStage bare = times;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Seconds gradients = bare.weights[chunk];
    times.weights[chunk] = gradients + exposed(gradients);
    times.whole[chunk] = gradients + exposed(bare.backward[chunk] + gradients);
  }
  // Units of FSDP are gathered pass by pass: nothing runs beside each other then.
  if (traits(plan.schedule).runs_pairs && !program.weights.in_units) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t other = 1 - chunk;
      const Seconds passes = bare.forward[chunk] + bare.backward[other] + bare.weights[other] -
                             saved(layers[chunk], layers[other], blocks);
      times.pair[chunk] = passes + exposed(passes);
    }
  }
  if (stage.copy > Seconds{}) hold_for_copies(share * stage.copy, chunks, times);
  return times;
}

}  // namespace cubicbench::sim
