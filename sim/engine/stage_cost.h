#pragma once

#include "sim/engine/block_cost.h"

namespace cubicbench::sim {

/// What one stage of a run takes.
struct StageCost {
  StepCost slot;           ///< forward and backward of one micro-batch, and what travels with each
  StepCost once;           ///< what a step adds once
  Seconds begin;           ///< of that, before the first pass
  Seconds last;            ///< and in the last one
  Seconds between;         ///< and between two of its chunks
  Seconds followed;        ///< and in all stages
  Seconds after;           ///< of a slot, when it has sent on what it computed
  Seconds reduction;       ///< split passes: traffic of buckets, each micro-batch or once
  Seconds reduction_bare;  ///< of it, what no pass hides
  Seconds reduced_last;    ///< of `once`, what is left of them beside one micro-batch
  Seconds copy;            ///< split passes: of kept tensors, which no pass is shorter than
  Seconds forward;
  Seconds backward;
  Seconds weight_gradients;  ///< of `backward`, where the schedule splits them off; else 0
  Seconds embedding;
  Seconds head;
  Seconds ends_forward;  ///< of `forward`, what is outside the layers
  Seconds ends_backward;
};

/// `hop`: to the next stage.
StageCost stage_cost(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                     Seconds hop, const StepContext& on);

}  // namespace cubicbench::sim
