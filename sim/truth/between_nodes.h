#pragma once

#include "sim/base/units.h"
#include "sim/engine/step_report.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// exposed_between_nodes() of a step that is lowered to `program` and timed as `report` says, to
/// the bit, without itemising it where that makes no difference: where what a part exposes is sent
/// between nodes alone, or in them alone. Of `program` it changes the buffers in `split`.
Seconds exposed_between_nodes(StepProgram& program, const StepReport& report,
                              const StepContext& on);

}  // namespace cubicbench::sim
