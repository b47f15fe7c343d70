#pragma once

namespace cubicbench::sim {

/// Which neighbours in a layer a trainer has in one kernel: decides how many kernels a layer
/// launches and what its element-wise work moves [docs/models.md, Eq. K-10 and E-6]. Each is a
/// switch that the software documents.
struct Fusion {
  bool norms = true;        ///< a kernel a norm; else RMSNorm is seven, as PyTorch writes it
  bool rotary = true;       ///< position embedding: a kernel each for queries and keys
  bool projections = true;  ///< queries, keys and values in one product, a gate with its FFN
  bool activation = true;   ///< of a gated FFN, with the product of its halves
  bool residuals = true;    ///< biases and dropout together with what follows them
  /// Scales of quantised products are those of earlier steps; else each input is read for its own.
  bool delayed_scaling = false;

  bool operator==(const Fusion&) const = default;
};

/// With a compiler, which fuses all element-wise work; products stay as they are written.
constexpr Fusion compiled(Fusion fusion) {
  fusion.norms = fusion.rotary = fusion.activation = fusion.residuals = true;
  return fusion;
}

}  // namespace cubicbench::sim
