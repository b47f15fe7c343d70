#pragma once

#include "sim/engine/step_report.h"
#include "sim/program/lower_forward.h"

namespace cubicbench::sim {

/// What forward passes alone take.
struct ForwardPass {
  Seconds time;   ///< of the batch of a step
  Bytes weights;  ///< that a rank of the stage with most of them keeps, shared as FSDP shares them
};

/// The batch of a step in forward passes alone, through a frozen copy of the model that is laid out
/// as the plan says [docs/models.md, Eq. A-1]: kernels, collectives and overlap are those of
/// evaluate(). A pipeline takes the closed form of GPipe, whose messages it counts both ways.
/// Requires check() to pass.
ForwardPass forward_pass(const Transformer& model, const StepContext& on, ForwardHead head,
                         StepProgram& program);

}  // namespace cubicbench::sim
