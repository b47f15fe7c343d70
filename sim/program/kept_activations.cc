#include "sim/program/kept_activations.h"

#include <algorithm>

#include "sim/base/real.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {
namespace {

/// What quantised inputs save a token, over 16 bits: those of the projections that read a norm and
/// of the FFN's second product are kept in fewer bits; attention keeps its output in 16 bits all
/// the same, so that the output projection's input is kept once more.
double saved_by_quantising(const Transformer& model, const Plan& plan, const Stack& stack) {
  if (!stack.keeps_quantised || plan.dtype < Dtype::fp8) {
    return 0.0;
  }
  const double kept = wire_bytes(plan.dtype);
  const double h = real(model.hidden);
  return (2.0 - kept) * (2.0 * h + real(model.ffn_hidden)) - kept * h;
}

/// Everything: projections and FFN divided by t; norm inputs and outputs only with sequence
/// parallelism, without it they stay whole [Korthikanti22, section 4.2].
double kept_by_whole_layer(const Transformer& model, const Plan& plan, const Stack& stack) {
  const double t = real(plan.tensor_parallel);
  const double h = real(model.hidden);
  const double ffn = model.gated_ffn ? stack.kept_per_ffn : stack.kept_per_ffn_plain;
  // Ranks share the heads; of fewer key heads than ranks each has one.
  const double keys = std::max(t, real(model.kv_heads)) * real(model.head_size);
  const double split = stack.kept_per_hidden * h + stack.kept_per_kv * keys +
                       ffn * real(model.ffn_hidden) + 4.0 * real(model.attention_heads) +
                       (plan.context_parallel > 1 ? stack.kept_per_hidden_context * h : 0.0) -
                       saved_by_quantising(model, plan, stack);
  const double norms = stack.kept_per_hidden_whole * h;
  const double whole = plan.sequence_parallel ? 0.0 : norms * (1.0 - 1.0 / t);
  return split / t + whole;
}

double kept_by_unfused_scores(const Transformer& model, const Plan& plan, const Stack& stack) {
  if (stack.attention != AttentionKernel::unfused) {
    return 0.0;
  }
  return 5.0 * real(model.attention_heads) * real(model.sequence) / real(plan.tensor_parallel);
}

}  // namespace

double kept_by_layer(const Transformer& model, const Plan& plan, Recompute recompute,
                     const Stack& stack, double token_count) {
  // The kept tensors are counted in 16 bits.
  const double tokens = token_count * storage_bytes(plan.param_dtype) / 2.0;
  const double whole_layer = kept_by_whole_layer(model, plan, stack);
  const double scores = kept_by_unfused_scores(model, plan, stack);
  const double h = real(model.hidden);
  const double input = 2.0 * h / (plan.sequence_parallel ? real(plan.tensor_parallel) : 1.0);
  switch (recompute) {
    case Recompute::none:
      return tokens * (whole_layer + scores);
    case Recompute::selective:
      return tokens * whole_layer;
    case Recompute::per_op: {
      // Every second product is kept, and no activation function.
      const double ffn = (model.gated_ffn ? stack.kept_per_ffn : stack.kept_per_ffn_plain) *
                         real(model.ffn_hidden) / real(plan.tensor_parallel);
      return tokens * (std::max(input, 0.5 * (whole_layer - ffn) + 0.25 * ffn) + scores);
    }
    case Recompute::full:
    case Recompute::every_k:
      return tokens * std::min(input, whole_layer);
  }
  return 0.0;
}

double kept_by_stage(const Transformer& model, const Plan& plan, const Stack& stack, double layers,
                     double recomputed) {
  const double tokens = micro_batch_tokens(model, plan);
  return recomputed * kept_by_layer(model, plan, plan.recompute, stack, tokens) +
         (layers - recomputed) * kept_by_layer(model, plan, Recompute::none, stack, tokens);
}

}  // namespace cubicbench::sim
