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
// leaves out what is there already; each requires what lower() calls before it, and says what.

/// Whether pipeline stages are outermost among the ranks: where there are experts, those who share
/// them lie side by side whatever the software does.
bool lays_stages_outermost(const Transformer& model, const Stack& stack);

/// `mesh`.
DeviceMesh mesh_of(const Transformer& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack);

/// `runs`: divides the layers of the model among the pipeline's stages. Runs of stages differ in
/// what layers and ends of the model they have; what those weigh is left out. Reads the settings of
/// the pipeline alone.
void divide_layers(const Transformer& model, const Plan& plan, const Stack& stack,
                   std::vector<StageRun>& runs);

/// What the layers of each run weigh and which are recomputed; requires how weights travel.
void add_run_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                     StepProgram& program);

/// How weights travel, what those of each run are, and all single numbers.
void lower_weights(const Transformer& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack, StepProgram& program);

/// The blocks of layers of `kind`, each in the order in which the host launches it.
void write_layer(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
                 StepProgram& program, LayerPasses<Block>& passes);

/// `operations` and `blocks`. Requires `mesh` alone.
void lower_blocks(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program);

/// `allocations`: what the first stage of each run allocates over a step, as a holder of its own.
/// Sources: kept activations, see kept_activations.h [docs/models.md, section M].
void lower_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program);

}  // namespace cubicbench::sim
