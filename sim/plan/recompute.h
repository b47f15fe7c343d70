#pragma once

#include <algorithm>

namespace cubicbench::sim {

enum class Recompute { none, selective, per_op, full, every_k };

/// What a policy keeps of a layer for its backward pass, in shares, and computes again of the rest,
/// so that nothing else asks for one by name [Korthikanti22, sections 4 and 5].
struct RecomputeTraits {
  double scores = 1.0;        ///< of attention, kept; computed again from queries, keys and values
  double products = 1.0;      ///< inputs and outputs of products
  double inner = 1.0;         ///< inner tensors of FFNs
  double element_wise = 0.0;  ///< activation functions and norms that are computed again
  double launches = 0.0;      ///< of a forward pass, launched again
  /// Of latent attention the latent vectors are kept, and what they expand to is computed again;
  /// then scores stay [DeepSeekV3, section 3.2.3].
  bool keeps_latent = false;
  bool whole_layers = false;  ///< all from the layer's input on, exchanges too
  bool one_in_k = false;      ///< of each k layers one alone
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
  }
  return {};
}

/// Whether parts of products are kept, which no arch of a recommendation model knows.
constexpr bool by_operation(Recompute recompute) {
  const RecomputeTraits kept = traits(recompute);
  return kept.products < 1.0 && !kept.whole_layers;
}

/// What a layer keeps where nothing is computed again, by what policies drop.
struct KeptTensors {
  double input = 0.0;   ///< what enters the layer
  double all = 0.0;     ///< but scores; `input` among them
  double inner = 0.0;   ///< of `all`, the inner tensors of the FFN
  double scores = 0.0;  ///< of attention
};

constexpr double kept_of(const KeptTensors& layer, const RecomputeTraits& policy) {
  if (policy.whole_layers) return std::min(layer.input, layer.all);
  const bool drops = policy.products < 1.0 || policy.inner < 1.0;
  const double parts = policy.products * (layer.all - layer.inner) + policy.inner * layer.inner;
  return (drops ? std::max(layer.input, parts) : layer.all) + policy.scores * layer.scores;
}

constexpr bool recomputes(Recompute recompute) { return traits(recompute).launches > 0.0; }

}  // namespace cubicbench::sim
