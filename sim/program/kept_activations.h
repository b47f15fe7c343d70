#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Bytes that one layer, recomputed as said, keeps for its backward pass, for `token_count` tokens
/// of one rank. Sources: [Korthikanti22, section 4] with the kept tensors of the stack
/// [docs/models.md, section M].
double kept_by_layer(const Transformer& model, const Plan& plan, Recompute recompute,
                     const Stack& stack, double token_count);

/// The same of the `layers` of one stage, of which `recomputed` are recomputed as `plan` says, for
/// one micro-batch.
double kept_by_stage(const Transformer& model, const Plan& plan, const Stack& stack, double layers,
                     double recomputed);

}  // namespace cubicbench::sim
