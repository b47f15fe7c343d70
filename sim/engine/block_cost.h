#pragma once

#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/memory/trace_event.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// One pass over each block on one rank [docs/models.md, Eq. E-1].
using BlockCosts = PerBlock<StepCost>;

/// The ranks that the collectives of a layer on `stream` are among.
const Group& group_of(const DeviceMesh& mesh, Stream stream);

/// Whether tokens travel on `stream`, to their experts or among the ranks that share one.
constexpr bool carries_tokens(Stream stream) {
  return stream >= Stream::expert && stream <= Stream::expert_tensor;
}

/// A block without operations costs nothing.
StepCost block_cost(const StepProgram& program, const Block& block, const StepContext& on);

/// Of all blocks of a program.
BlockCosts block_costs(const StepProgram& program, const StepContext& on);

/// Times of host and device of one pass over a layer and over the head of `program`
/// [docs/models.md, Eq. M-23]. Where ranks wait for each other's launches (NetworkState), their
/// collectives between nodes wait for hosts, not for devices, and count as no time of the device.
PassTimes pass_times(const StepProgram& program, const Plan& plan, const Cluster& cluster,
                     const Stack& stack);

}  // namespace cubicbench::sim
