#pragma once

#include "sim/engine/itemised/itemised_step.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// itemised_step() of a step that is lowered to `program` and timed as `report` says, for the price
/// of its traffic: kernels, and what one transmission of each kind costs, are left out. Of
/// `program` it changes the buffers in `split`.
ItemisedStep itemised_traffic(StepProgram& program, const StepReport& report,
                              const StepContext& on);

}  // namespace cubicbench::sim
