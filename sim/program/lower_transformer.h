#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/alive_bytes.h"
#include "sim/program/kept_activations.h"
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

/// The passes over a layer, in the order of LayerPasses.
enum class LayerPass : std::uint8_t { forward, recompute, backward, weight_gradients, pair };
inline constexpr std::array layer_passes{LayerPass::forward, LayerPass::recompute,
                                         LayerPass::backward, LayerPass::weight_gradients,
                                         LayerPass::pair};

template <typename Value>
Value& of_pass(LayerPasses<Value>& passes, LayerPass pass) {
  constexpr std::array members{&LayerPasses<Value>::forward, &LayerPasses<Value>::recompute,
                               &LayerPasses<Value>::backward, &LayerPasses<Value>::weight_gradients,
                               &LayerPasses<Value>::pair};
  return passes.*members[static_cast<std::size_t>(pass)];
}

/// Whether a plan has such passes; else they cost nothing.
constexpr bool has_pass(const Plan& plan, LayerPass pass) {
  switch (pass) {
    case LayerPass::recompute:
      return recomputes(plan.recompute);
    case LayerPass::weight_gradients:
      return splits_backward(plan.schedule);
    case LayerPass::pair:
      return traits(plan.schedule).runs_pairs;
    default:
      return true;
  }
}

// Parts of `operations` and `blocks`, which require `mesh` alone.

/// Appends the operations of a pass over a layer of `kind`, in the order in which the host launches
/// them.
Block lower_pass(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
                 LayerPass pass, StepProgram& program);

/// Appends those of all passes over it.
void lower_layer(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
                 StepProgram& program, LayerPasses<Block>& passes);

/// Appends those of the blocks that are outside the layers.
void lower_ends(const Transformer& model, const Plan& plan, const Stack& stack,
                StepProgram& program);

/// All of them.
void lower_blocks(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program);

/// `allocations`: what the first stage of each run allocates over a step, as a holder of its own.
/// Sources: kept activations, see kept_activations.h [docs/models.md, section M].
void lower_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program);

// The same of one run, summed up by moments instead of listed:

/// Weights with their gradients and state.
void add_alive_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                       const StepProgram& program, const StageRun& run, AliveBytes& alive);

/// Everything else. `kept`: of `plan` (kept_by_kinds).
void add_alive_activations(const Transformer& model, const Plan& plan, const Stack& stack,
                           const StepProgram& program, const StageRun& run, const KeptByKinds& kept,
                           AliveBytes& alive);

}  // namespace cubicbench::sim
