#include <algorithm>

#include "sim/engine/pipeline_time.h"

namespace cubicbench::sim {
namespace {

/// Layers of one chunk.
struct ChunkLayers {
  double dense = 0.0;
  double experts = 0.0;
  double recomputed = 0.0;  ///< of `dense`
  double recomputed_experts = 0.0;
};

/// Layers are recomputed in their order in the stage, as `plan` says.
std::array<ChunkLayers, 2> layers_of(const StageRun& run, const Plan& plan, bool two) {
  const double first = two ? run.first_chunk_layers : run.layers;
  const double experts = two ? run.first_chunk_expert_layers : run.expert_layers;
  const auto recomputed = [&](double layers, double all) {
    return two ? recomputed_layers(plan, layers) : all;
  };
  ChunkLayers one{.dense = first - experts, .experts = experts};
  one.recomputed_experts = recomputed(experts, run.recomputed_expert_layers);
  one.recomputed = recomputed(first, run.recomputed_layers) - one.recomputed_experts;
  const ChunkLayers other{
      .dense = (run.layers - run.expert_layers) - one.dense,
      .experts = run.expert_layers - experts,
      .recomputed = (run.recomputed_layers - run.recomputed_expert_layers) - one.recomputed,
      .recomputed_experts = run.recomputed_expert_layers - one.recomputed_experts};
  return {one, other};
}

Seconds time_of(double dense, double experts, BlockId without, BlockId with,
                const BlockCosts& blocks) {
  Seconds time = dense * blocks[without].total();
  if (experts > 0.0) time += experts * blocks[with].total();
  return time;
}

/// What a pair of passes saves over one after the other: layers meet as far as they are alike.
Seconds saved(const ChunkLayers& forward, const ChunkLayers& backward, const BlockCosts& blocks) {
  const auto alone = [&](BlockId f, BlockId b, BlockId w, BlockId pair) {
    return blocks[f].total() + blocks[b].total() + blocks[w].total() - blocks[pair].total();
  };
  Seconds time = std::min(forward.dense, backward.dense) *
                 alone(BlockId::layer_forward, BlockId::layer_backward,
                       BlockId::layer_weight_gradients, BlockId::layer_pair);
  const double experts = std::min(forward.experts, backward.experts);
  if (experts > 0.0) {
    time += experts * alone(BlockId::expert_layer_forward, BlockId::expert_layer_backward,
                            BlockId::expert_layer_weight_gradients, BlockId::expert_layer_pair);
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
  const std::array<ChunkLayers, 2> layers = layers_of(run, plan, two);
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
    const ChunkLayers& of = layers[chunk];
    times.forward[chunk] = time_of(of.dense, of.experts, BlockId::layer_forward,
                                   BlockId::expert_layer_forward, blocks);
    times.backward[chunk] = time_of(of.dense, of.experts, BlockId::layer_backward,
                                    BlockId::expert_layer_backward, blocks) +
                            time_of(of.recomputed, of.recomputed_experts, BlockId::layer_recompute,
                                    BlockId::expert_layer_recompute, blocks);
    times.weights[chunk] = time_of(of.dense, of.experts, BlockId::layer_weight_gradients,
                                   BlockId::expert_layer_weight_gradients, blocks);
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
