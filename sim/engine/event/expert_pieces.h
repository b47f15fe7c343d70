#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event/weight_script.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Of the pieces that the layers of stage `stage` are divided into, what lies in layers with
/// experts. The layers of a stage are numbered as StageRun counts them: consecutive ones of the
/// model, prediction layers last, chunk by chunk.
std::vector<LayerPieces> expert_pieces(const std::vector<LayerPieces>& pieces,
                                       const Transformer& model, const StepProgram& program,
                                       std::int64_t stage);

/// The same of chunks that begin at `starts` in the model.
std::vector<LayerPieces> expert_pieces(const std::vector<LayerPieces>& pieces,
                                       const Transformer& model,
                                       const std::vector<std::int64_t>& starts);

}  // namespace cubicbench::sim
