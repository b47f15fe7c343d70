#pragma once

#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {

/// For which tokens a forward pass computes the head and their log-probabilities.
enum class ForwardHead { all_tokens, none };

/// `plan` as a frozen model follows it: a pipeline of forward passes, in which nothing is kept for
/// a backward pass, updated or offloaded.
Plan forward_plan(Plan plan);

/// Writes into `program` the forward passes alone of a step: what a frozen copy of the model
/// computes and moves for the same batch [docs/models.md, Eq. A-1]. Prediction layers are no part
/// of it. What memory it takes is left out. Requires a forward_plan() of a plan for which check()
/// passes.
void lower_forward(Transformer model, const Plan& plan, const Cluster& cluster, const Stack& stack,
                   ForwardHead head, StepProgram& program);

}  // namespace cubicbench::sim
