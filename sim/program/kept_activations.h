#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Bytes that one layer of `kind`, recomputed as said, keeps for its backward pass, for
/// `token_count` tokens of one rank. Sources: [Korthikanti22, section 4] with the kept tensors of
/// the stack [docs/models.md, section M]. With experts: for each routed copy of a token that the
/// busiest rank has to compute, an expert's input, output and inner tensors [Eq. X-7].
double kept_by_layer(const Transformer& model, LayerKind kind, const Plan& plan,
                     Recompute recompute, const Stack& stack, double token_count);

/// The same of layers of each kind of the model, for one micro-batch.
struct KeptByKinds {
  PerKind<double> recomputed{};  ///< as the plan says
  PerKind<double> whole{};
};

KeptByKinds kept_by_kinds(const Transformer& model, const Plan& plan, const Stack& stack);

/// The same of all layers of a stage of `run`.
double kept_by_stage(const KeptByKinds& kept, const StageRun& run);

}  // namespace cubicbench::sim
