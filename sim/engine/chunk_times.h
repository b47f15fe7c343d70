#pragma once

#include "sim/engine/split_time.h"
#include "sim/engine/stage_cost.h"

namespace cubicbench::sim {

/// What passes through each chunk of a stage take whose backward passes are split. What the stage
/// waits for beside its layers is shared by its chunks, but for what the ends of the model take;
/// sending stands for nothing yet.
SplitStage chunk_times(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                       const StageCost& stage, const Plan& plan);

}  // namespace cubicbench::sim
