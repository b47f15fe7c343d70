#pragma once

#include <cstdint>

namespace cubicbench::sim {

/// A dense decoder-only transformer: GPT (plain FFN, tied embeddings, biases left out) or Llama
/// (gated FFN, grouped-query attention, untied head).
struct Transformer {
  std::int64_t layers = 1;           ///< L
  std::int64_t hidden = 1;           ///< h
  std::int64_t attention_heads = 1;  ///< a
  std::int64_t kv_heads = 1;         ///< k <= a
  std::int64_t head_size = 1;        ///< d, usually h / a
  std::int64_t ffn_hidden = 1;       ///< f
  bool gated_ffn = false;
  std::int64_t vocabulary = 1;  ///< V
  bool tied_embeddings = false;
  std::int64_t sequence = 1;  ///< s, tokens a sample

  bool operator==(const Transformer&) const = default;
};

/// Weights of one block: attention h (2 a + 2 k) d, FFN 2 or 3 h f, two norms.
double layer_parameters(const Transformer& model);

/// Weights of the embedding table or of the head: V h.
double embedding_parameters(const Transformer& model);

/// All weights; a tied matrix counts once.
double total_parameters(const Transformer& model);

/// N of the MFU formula: the head once and no input embedding [docs/models.md, Eq. W-3].
double mfu_parameters(const Transformer& model);

/// Model FLOPs of one token, forward and backward: 6 N + 6 L a d s (causal) [Eq. W-4].
double mfu_flops_per_token(const Transformer& model);

}  // namespace cubicbench::sim
