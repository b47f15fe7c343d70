#include "sim/engine/event/expert_pieces.h"

#include <algorithm>
#include <cmath>

#include "sim/base/real.h"

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

/// Of the pieces of one chunk, which begins at `position`. Returns where it ends.
double add_chunk(const LayerPieces& chunk, const Transformer& model, double position,
                 LayerPieces& shares) {
  constexpr double rounding = 1e-9;
  for (const double piece : chunk) {
    const double experts = expert_layers(model, position + piece) - expert_layers(model, position);
    position += piece;
    // A piece of one kind of layers is wholly so.
    shares.push_back(experts < rounding ? 0.0 : experts > piece - rounding ? piece : experts);
  }
  return position;
}

}  // namespace

std::vector<LayerPieces> expert_pieces(const std::vector<LayerPieces>& pieces,
                                       const Transformer& model, const StepProgram& program,
                                       std::int64_t stage) {
  double position = real(layers_before(program, stage));
  std::vector<LayerPieces> all;
  for (const LayerPieces& chunk : pieces) {
    position = add_chunk(chunk, model, position, all.emplace_back());
  }
  return all;
}

std::vector<LayerPieces> expert_pieces(const std::vector<LayerPieces>& pieces,
                                       const Transformer& model,
                                       const std::vector<std::int64_t>& starts) {
  std::vector<LayerPieces> all;
  for (std::size_t chunk = 0; chunk < pieces.size(); ++chunk) {
    add_chunk(pieces[chunk], model, real(starts[chunk]), all.emplace_back());
  }
  return all;
}

}  // namespace cubicbench::sim
