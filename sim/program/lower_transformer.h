#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Writes the step of `model` under `plan` into `program`, reusing its buffers.
/// Requires check(plan, model, cluster) to pass.
void lower(const Transformer& model, const Plan& plan, const Cluster& cluster, const Stack& stack,
           StepProgram& program);

// Its parts, each a member or more of `program`. Whoever lowers many plans that share settings
// leaves out what is there already; each requires what stands above it.

/// `mesh`.
DeviceMesh mesh_of(const Transformer& model, const Plan& plan, const Cluster& cluster);

// `runs` as divide_layers() in stage_runs.h writes them.

/// How weights travel, what those of each run are, and all single numbers.
void lower_weights(const Transformer& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack, StepProgram& program);

/// `operations` and `blocks`. Requires `mesh` alone.
void lower_blocks(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program);

/// `allocations`.
void lower_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program);

}  // namespace cubicbench::sim
