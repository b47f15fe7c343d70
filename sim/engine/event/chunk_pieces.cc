#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/engine/event/script_writer.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

constexpr double rounding = 1e-9;

/// Layers of the stages before `stage`.
std::int64_t layers_before(const StepProgram& program, std::int64_t stage) {
  double layers = 0.0;
  for (const StageRun& run : program.runs) {
    layers += run.layers * real(std::clamp<std::int64_t>(stage - run.first, 0, run.stages));
  }
  return std::llround(layers);
}

/// Layers of each kind among the first `layers` of a model, prediction layers behind its own.
PerKind<double> among(const Transformer& model, double layers) {
  const double whole = std::floor(layers + rounding);
  const auto number = static_cast<std::int64_t>(whole);
  PerKind<double> counts{};
  std::ranges::transform(kinds_among(model, std::min(number, model.layers)), counts.begin(), real);
  const std::size_t predicting = kind_of_prediction(model);
  counts[predicting] += std::max(whole - real(model.layers), 0.0);
  const bool inside = number < model.layers;
  counts[inside ? kind_of_layer(model, number) : predicting] += std::max(layers - whole, 0.0);
  return counts;
}

/// Adds the pieces of one chunk, which begins at `position` in the model, with what of each lies in
/// layers of each kind; moves `position` to the chunk's end.
void add_chunk(const LayerPieces& chunk, const Transformer& model, double& position,
               ChunkPieces& pieces) {
  const LayerKinds kinds = layer_kinds(model);
  pieces.layers.push_back(chunk);
  pieces.experts.emplace_back();
  for (std::size_t kind = 0; kind < kinds.count; ++kind) pieces.kinds[kind].emplace_back();
  for (const double piece : chunk) {
    const PerKind<double> before = among(model, position);
    const PerKind<double> behind = among(model, position + piece);
    position += piece;
    double experts = 0.0;
    double rest = piece;
    for (std::size_t kind = kinds.count; kind-- > 0;) {
      const double layers = kind > 0 ? behind[kind] - before[kind] : rest;
      // A piece of one kind of layers is wholly so.
      const double share = layers < rounding ? 0.0 : layers > piece - rounding ? piece : layers;
      rest -= share;
      if (kinds.list[kind].ffn == FeedForward::experts) experts += share;
      pieces.kinds[kind].back().push_back(share);
    }
    pieces.experts.back().push_back(experts);
  }
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
  double first = 0.0;
  for (const LayerCount& count : run.first_chunk) first += count.layers;
  ChunkPieces pieces;
  for (const std::int64_t chunk : {0, 1}) {
    double position = real(layers_before_chunk(plan, model, stack.balance, stage, chunk));
    const double layers = !two ? run.layers : chunk == 0 ? first : run.layers - first;
    add_chunk(LayerPieces(static_cast<std::size_t>(layers), 1.0), model, position, pieces);
    if (!two) break;
  }
  return pieces;
}

}  // namespace

ChunkPieces chunk_pieces(const StepProgram& program, const Transformer& model, const StageRun& run,
                         std::int64_t stage, const Plan& plan, const Stack& stack) {
  if (splits_backward(plan.schedule)) return split_pieces(model, run, stage, plan, stack);
  ChunkPieces pieces;
  double position = real(layers_before(program, stage));
  for (const LayerPieces& chunk :
       pieces_of(static_cast<std::int64_t>(run.layers), missing_in(program, run),
                 static_cast<std::int64_t>(program.chunks))) {
    add_chunk(chunk, model, position, pieces);
  }
  return pieces;
}

}  // namespace cubicbench::sim
