#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/engine/event/script_writer.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

/// Layers of the stages before `stage`.
std::int64_t layers_before(const StepProgram& program, std::int64_t stage) {
  double layers = 0.0;
  for (const StageRun& run : program.runs) {
    layers += run.layers * real(std::clamp<std::int64_t>(stage - run.first, 0, run.stages));
  }
  return std::llround(layers);
}

/// Layers with experts of the first `layers` of a model, whose prediction layers are as its last
/// one.
double expert_layers(const Transformer& model, double layers) {
  constexpr double rounding = 1e-9;
  const double whole = std::floor(layers + rounding);
  const auto number = static_cast<std::int64_t>(whole);
  const auto is_expert = [&](std::int64_t layer) {
    return is_expert_layer(model, std::min(layer, model.layers - 1)) ? 1.0 : 0.0;
  };
  const double within = real(expert_layers_before(model, std::min(number, model.layers)));
  const double predicting = std::max(whole - real(model.layers), 0.0) * is_expert(model.layers);
  return within + predicting + std::max(layers - whole, 0.0) * is_expert(number);
}

/// Of the pieces of one chunk, which begins at `position` in the model and moves it to the chunk's
/// end, what lies in layers with experts.
LayerPieces expert_pieces(const LayerPieces& chunk, const Transformer& model, double& position) {
  constexpr double rounding = 1e-9;
  LayerPieces shares;
  for (const double piece : chunk) {
    const double experts = expert_layers(model, position + piece) - expert_layers(model, position);
    position += piece;
    // A piece of one kind of layers is wholly so.
    shares.push_back(experts < rounding ? 0.0 : experts > piece - rounding ? piece : experts);
  }
  return shares;
}

/// Layers of a stage that an end of the model takes the place of: those that other stages have
/// more.
struct Missing {
  std::int64_t first = 0;  ///< of the first chunk, which has the embedding
  std::int64_t last = 0;   ///< of the last chunk, which has the head
};

/// Divides a stage's layers evenly among chunks, those included that are missing. Where they do not
/// divide, which no framework takes, all chunks are of as many equal pieces, each a little less
/// than a layer, so that none of them sets the pace of the others.
std::vector<LayerPieces> pieces_of(std::int64_t layers, const Missing& missing,
                                   std::int64_t chunks) {
  std::vector<LayerPieces> all(static_cast<std::size_t>(chunks));
  // In units of 1 / chunks of a layer: each chunk has `share` of them.
  const std::int64_t share = layers + missing.first + missing.last;
  const std::int64_t begin = std::min(missing.first * chunks, share);
  const std::int64_t end = std::max(share * chunks - missing.last * chunks, begin);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::int64_t there = std::max<std::int64_t>(
        std::min(end, (chunk + 1) * share) - std::max(begin, chunk * share), 0);
    const std::int64_t pieces = (there + chunks - 1) / chunks;
    all[static_cast<std::size_t>(chunk)].assign(static_cast<std::size_t>(pieces),
                                                real(there) / real(chunks * pieces));
  }
  return all;
}

Missing missing_in(const StepProgram& program, const StageRun& run) {
  double most = 0.0;
  for (const StageRun& other : program.runs) most = std::max(most, other.layers);
  const auto missing = static_cast<std::int64_t>(most - run.layers);
  return {.first = run.has_embedding && !run.has_head ? missing : 0,
          .last = run.has_head && !run.has_embedding ? missing : 0};
}

/// The chunks of a V are whole layers.
ChunkPieces split_pieces(const Transformer& model, const StageRun& run, std::int64_t stage,
                         const Plan& plan, const Stack& stack) {
  const bool two = chunks_per_stage(plan) > 1;
  const double first = two ? run.first_chunk_layers : run.layers;
  ChunkPieces pieces;
  for (const double layers : {first, run.layers - first}) {
    const LayerPieces& chunk = pieces.layers.emplace_back(static_cast<std::size_t>(layers), 1.0);
    double position =
        real(layers_before_chunk(plan, model, stack.balance, stage, std::ssize(pieces.layers) - 1));
    pieces.experts.push_back(expert_pieces(chunk, model, position));
    if (!two) break;
  }
  return pieces;
}

}  // namespace

ChunkPieces chunk_pieces(const StepProgram& program, const Transformer& model, const StageRun& run,
                         std::int64_t stage, const Plan& plan, const Stack& stack) {
  if (splits_backward(plan.schedule)) return split_pieces(model, run, stage, plan, stack);
  ChunkPieces pieces;
  pieces.layers = pieces_of(static_cast<std::int64_t>(run.layers), missing_in(program, run),
                            static_cast<std::int64_t>(program.chunks));
  double position = real(layers_before(program, stage));
  for (const LayerPieces& chunk : pieces.layers) {
    pieces.experts.push_back(expert_pieces(chunk, model, position));
  }
  return pieces;
}

}  // namespace cubicbench::sim
