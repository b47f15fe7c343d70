#pragma once

#include <algorithm>

#include "sim/workload/layer_kind.h"

namespace cubicbench::sim {

/// The last three are modules by Megatron-Core's names (recompute_modules).
enum class Recompute { none, selective, per_op, full, every_k, layernorm, moe_act, mlp };

/// What a policy keeps of a layer for its backward pass, in shares, and computes again of the rest,
/// so that nothing else asks for one by name [Korthikanti22, sections 4 and 5].
struct RecomputeTraits {
  double scores = 1.0;        ///< of attention, kept; computed again from queries, keys and values
  double products = 1.0;      ///< inputs and outputs of products
  double inner = 1.0;         ///< inner tensors of FFNs
  double norms = 1.0;         ///< outputs of the two norms of a layer
  double activated = 1.0;     ///< outputs of activation functions
  double ffn = 1.0;           ///< all but the input of the FFN; its exchanges run again too
  double element_wise = 0.0;  ///< activation functions and norms that are computed again
  double launches = 0.0;      ///< of a forward pass, launched again
  /// Of latent attention the latent vectors are kept, and what they expand to is computed again;
  /// then scores stay [DeepSeekV3, section 3.2.3].
  bool keeps_latent = false;
  bool whole_layers = false;    ///< all from the layer's input on, exchanges too
  bool one_in_k = false;        ///< of each k layers one alone
  bool spares_dense = false;    ///< nothing of layers without experts is dropped
  bool spares_experts = false;  ///< and nothing of those with experts
};

constexpr RecomputeTraits traits(Recompute recompute) {
  constexpr RecomputeTraits whole{.scores = 0.0,
                                  .products = 0.0,
                                  .inner = 0.0,
                                  .element_wise = 1.0,
                                  .launches = 1.0,
                                  .whole_layers = true};
  switch (recompute) {
    case Recompute::none:
      return {};
    case Recompute::selective:  // two or three of a layer's dozen launches
      return {.scores = 0.0, .launches = 0.2, .keeps_latent = true};
    case Recompute::per_op:  // every second product is kept, attention, and no activation function
      return {.products = 0.5, .inner = 0.25, .element_wise = 1.0, .launches = 0.5};
    case Recompute::full:
      return whole;
    case Recompute::every_k: {
      RecomputeTraits some = whole;
      some.one_in_k = true;
      return some;
    }
    case Recompute::layernorm:  // two or three of a layer's dozen launches, as of scores
      return {.norms = 0.0, .launches = 0.2};
    case Recompute::moe_act:
      return {.activated = 0.0, .launches = 0.1, .spares_dense = true};
    case Recompute::mlp:  // two products and what is between them
      return {.ffn = 0.0, .launches = 0.4, .spares_experts = true};
  }
  return {};
}

/// Of layers of `kind`.
constexpr RecomputeTraits traits(Recompute recompute, LayerKind kind) {
  const RecomputeTraits policy = traits(recompute);
  const bool experts = kind.ffn == FeedForward::experts;
  const bool of_ffn = policy.activated < 1.0 || policy.ffn < 1.0;
  if (of_ffn && kind.ffn == FeedForward::none) return {};
  return (experts ? policy.spares_experts : policy.spares_dense) ? RecomputeTraits{} : policy;
}

/// Whether parts of products or modules of a transformer's layer are kept, which no arch of a
/// recommendation model knows.
constexpr bool by_operation(Recompute recompute) {
  const RecomputeTraits kept = traits(recompute);
  const bool by_module = kept.norms < 1.0 || kept.activated < 1.0 || kept.ffn < 1.0;
  return (kept.products < 1.0 || by_module) && !kept.whole_layers;
}

/// What a layer keeps where nothing is computed again, by what policies drop.
struct KeptTensors {
  double input = 0.0;   ///< what enters the layer
  double all = 0.0;     ///< but scores; `input` among them
  double inner = 0.0;   ///< of `all`, the inner tensors of the FFN
  double scores = 0.0;  ///< of attention
  // Of `all`, what policies by module drop:
  double norms = 0.0;
  double activated = 0.0;
  double ffn = 0.0;
};

constexpr double kept_of(const KeptTensors& layer, const RecomputeTraits& policy) {
  if (policy.whole_layers) return std::min(layer.input, layer.all);
  const bool drops = policy.products < 1.0 || policy.inner < 1.0;
  const double parts = policy.products * (layer.all - layer.inner) + policy.inner * layer.inner;
  const double modules = (1.0 - policy.norms) * layer.norms +
                         (1.0 - policy.activated) * layer.activated +
                         (1.0 - policy.ffn) * layer.ffn;
  return (drops ? std::max(layer.input, parts) : layer.all - modules) +
         policy.scores * layer.scores;
}

constexpr bool recomputes(Recompute recompute) { return traits(recompute).launches > 0.0; }

}  // namespace cubicbench::sim
