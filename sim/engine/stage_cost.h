#pragma once

#include <cstddef>
#include <span>

#include "sim/engine/block_cost.h"
#include "sim/engine/weight_time.h"

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

/// How often each micro-batch passes through each block on a stage of `run`; pairs count as what
/// they pair.
PerBlock<double> block_passes(const StageRun& run, const Plan& plan);

/// Of collectives over the weights of a stage of `run`.
WeightCost weight_cost(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                       const Stack& stack);

/// Of a stage of run `run` of the program. `weights`: of collectives over the weights of each run,
/// worked out where it is empty; `hop`: to the next stage.
StageCost stage_cost(const StepProgram& program, std::size_t run, const BlockCosts& blocks,
                     std::span<const WeightCost> weights, Seconds hop, const StepContext& on);

}  // namespace cubicbench::sim
