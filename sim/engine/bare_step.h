#pragma once

#include <cstddef>
#include <span>

#include "sim/engine/block_cost.h"
#include "sim/engine/step_report.h"
#include "sim/engine/weight_time.h"
#include "sim/hardware/cluster.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// A step that neither full memory nor stragglers delay.
struct BareStep {
  StepCost slowest;       ///< parts of the stage that computes longest
  std::size_t run = 0;    ///< of the program, of which that stage is
  double messages = 0.0;  ///< that it sends to its neighbours
  Seconds total;
};

/// Puts the step together from its stages. `weights`: of collectives over the weights of each run,
/// in order; where it is empty they are worked out. Of `program` it changes the buffers in `split`.
BareStep bare_step(StepProgram& program, const BlockCosts& blocks,
                   std::span<const WeightCost> weights, const StepContext& on);

/// The parts of the step where they do. What the stage that computes longest does not fill is the
/// pipeline's bubble, where there is one. `retries` and `stragglers`: shares by which the step is
/// longer (retry_share, straggler_share).
StepCost delayed(const BareStep& step, bool pipelined, double retries, double stragglers);

/// Share by which the mean step of a job is longer than that of a node of 8 GPUs, because it waits
/// for the slowest of more of them                                      [docs/models.md, Eq. S-1]:
///
///   beta (H_n - H_min(n, 8))      n GPUs, H_k = 1 + 1/2 + .. + 1/k, beta the cluster's jitter
///
/// The expected slowest of n exponential delays of mean beta is beta H_n. What a node loses is in
/// the constants of stacks already, which are read off whole steps. Takes time proportional to n
/// where there is jitter.
double straggler_share(const Cluster& cluster);

}  // namespace cubicbench::sim
