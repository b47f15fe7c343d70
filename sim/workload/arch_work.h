#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// One matrix product a sample: `rows` rows of k elements become rows of n.
struct ArchProduct {
  double rows = 1.0;
  double n = 0.0;
  double k = 0.0;
  bool learned = true;  ///< the k x n matrix is weights, else it comes from the sample, too
};

/// Self-attention of a sample's tokens.
struct SelfAttention {
  double tokens = 0.0;   ///< 0: none
  double context = 0.0;  ///< mean tokens of the history that a token is of
  double heads = 0.0;
  double head_size = 0.0;
  bool gated = false;  ///< of HSTU: kernels of its own
};

/// Work of one layer for one sample, forward.
struct LayerWork {
  std::array<ArchProduct, mlp_widths_max> products{};
  std::size_t product_count = 0;
  SelfAttention attention;
  double element_wise = 0.0;    ///< elements that go in and out between the products
  double kept = 0.0;            ///< elements that the backward pass needs
  double kept_selective = 0.0;  ///< without activation functions, norms and attention
  double kept_full = 0.0;       ///< what enters the layer
  double kept_norms = 0.0;      ///< of both, outputs of norms that `layernorm` computes again
  double norms = 0.0;           ///< elements that go in and out of these norms
  double parameters = 0.0;

  std::span<const ArchProduct> all() const { return {products.data(), product_count}; }
};

/// How much the work of samples differs: standard deviations of one sample's, in its mean.
struct WorkSpread {
  double tokens = 0.0;
  double attention = 0.0;  ///< of products of queries and keys, in the square of tokens
  // Those of the longest history, over the mean:
  double most = 1.0;
  double most_attention = 1.0;
  /// Share of a rank's samples' spread that no number of samples evens out.
  double together = 0.0;
};

/// Work of one module group: what comes before its first layer, and equal layers.
struct ArchWork {
  LayerWork entry{};
  LayerWork layer{};
  double layers = 0.0;       ///< 0: the model has no such group
  bool inputs_learn = true;  ///< gradients go on to what is before it
  WorkSpread spread{};
};

/// [docs/models.md, Table R-1]
ArchWork arch_work(const Recommendation& model, ModuleGroup group);

/// Of all products and attention, 2 a multiplication: of one sample's forward pass.
double forward_flops(const ArchWork& work);

double parameters_of(const ArchWork& work);

}  // namespace cubicbench::sim
