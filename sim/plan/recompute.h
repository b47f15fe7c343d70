#pragma once

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

constexpr bool recomputes(Recompute recompute) { return traits(recompute).launches > 0.0; }

}  // namespace cubicbench::sim
