#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/workload/layer_kind.h"

namespace cubicbench::sim {

/// Experts in place of a layer's FFN: a router sends every token to a few of them.
struct Experts {
  std::int64_t count = 0;              ///< E, routed ones of a layer; 0: the model is dense
  std::int64_t per_token = 1;          ///< k <= E: that a token is sent to
  std::int64_t ffn_hidden = 1;         ///< width of one expert
  std::int64_t shared_ffn_hidden = 0;  ///< of all experts together that every token passes
  /// Width in which tokens reach routed experts and return, projected from h and back; 0: h
  /// [Nemotron3].
  std::int64_t latent_size = 0;
  std::int64_t first_dense_layers = 0;  ///< layers at the front that have an FFN of `ffn_hidden`
  std::int64_t period = 1;  ///< after them the last of every `period` layers has experts
  /// Capacity factor c: an expert takes c k tokens / E, fewer are padded and more are dropped; 0:
  /// none is dropped, and an expert computes what it is sent [Switch21, section 2.2].
  std::int64_t capacity_thousandths = 0;
  /// Standard deviation of the tokens that experts of a layer are sent, over their mean.
  std::int64_t load_deviation_thousandths = 0;
  /// Nodes at most that a token's experts are chosen from; 0: any [DeepSeekV3, section 2.1.2].
  std::int64_t nodes_per_token = 0;

  bool operator==(const Experts&) const = default;
};

/// Multi-head latent attention: queries, and keys and values, through narrow vectors
/// [DeepSeekV2, section 2.1].
struct LatentAttention {
  std::int64_t query_rank = 0;  ///< width of the queries' vector; 0: straight from the hidden state
  std::int64_t key_rank = 0;    ///< of that of keys and values; 0: no latent attention
  std::int64_t rope_size =
      0;  ///< of `head_size`, what carries positions; its key is shared by all heads
  std::int64_t value_size = 0;  ///< of a head

  bool operator==(const LatentAttention&) const = default;
};

/// Sliding-window attention: a token attends to itself and to the `tokens` - 1 before it, and in
/// the last of every `full_period` layers to all before it [docs/models.md, Eq. W-6].
struct SlidingWindow {
  std::int64_t tokens = 0;       ///< w; 0: no layer has a window
  std::int64_t full_period = 0;  ///< 0: every layer has one

  bool operator==(const SlidingWindow&) const = default;
};

/// Low-rank adapters: a product with frozen weights W (n x k) also adds B A x, with A (r x k) and B
/// (n x r), and nothing but these is trained [LoRA21, section 4.1; docs/models.md, Eq. W-9].
struct Adapters {
  std::int64_t rank = 0;  ///< r; 0: all weights are trained
  /// Which products of a layer have them: queries, keys and values; attention's output; the FFN's
  /// first one, gate included, and its second one.
  std::array<bool, 4> products{};

  bool operator==(const Adapters&) const = default;
};

/// The state-space mixer of Mamba-2: each head has a state of `head_size` x `state_size`, which
/// decays and takes in a token; what goes in and what is read out is one for the heads of a group.
/// Computed chunk by chunk [Mamba2, sections 6 and 7; docs/models.md, Eq. W-7].
struct StateSpace {
  std::int64_t heads = 0;  ///< 0: no layer has one
  std::int64_t head_size = 64;
  std::int64_t state_size = 128;
  std::int64_t groups = 1;
  std::int64_t convolution = 4;  ///< tokens that the convolution before the scan sees
  std::int64_t chunk = 256;      ///< tokens

  bool operator==(const StateSpace&) const = default;
};

/// A decoder-only transformer: GPT (plain FFN, tied embeddings, biases left out) or Llama (gated
/// FFN, grouped-query attention, untied head), dense or with experts.
struct Transformer {
  std::int64_t layers = 1;           ///< L
  std::int64_t hidden = 1;           ///< h
  std::int64_t attention_heads = 1;  ///< a
  std::int64_t kv_heads = 1;         ///< k <= a
  std::int64_t head_size = 1;        ///< d, usually h / a: of a query and a key
  std::int64_t ffn_hidden = 1;       ///< f, of layers without experts
  bool gated_ffn = false;
  std::int64_t vocabulary = 1;  ///< V
  bool tied_embeddings = false;
  std::int64_t sequence = 1;  ///< s, tokens a sample
  /// Tokens of what is packed into a sequence, on average: a token attends to its own sample alone
  /// [docs/models.md, Eq. W-8]. 0: a sequence is one sample.
  std::int64_t packed_sample = 0;
  LatentAttention latent{};
  SlidingWindow window{};  ///< not beside latent attention
  StateSpace state_space{};
  Experts experts{};
  /// Layers one by one, again and again; empty: periods above say which layer is what.
  std::vector<LayerKind> pattern{};
  /// Layers after the last one that predict tokens further on, each with a pass over the head
  /// [DeepSeekV3, section 2.2].
  std::int64_t prediction_layers = 0;
  std::optional<LayerKind> prediction_kind{};  ///< of those; beside a pattern, else as the last
  /// Frameworks fuse the FFN's activation (GELU, SwiGLU); not one with clamps and offsets of its
  /// own.
  bool fused_activation = true;
  Adapters adapters{};  ///< neither beside latent attention nor experts

  bool operator==(const Transformer&) const = default;
};

constexpr bool has_experts(const Transformer& model) { return model.experts.count > 0; }
constexpr bool has_window(const Transformer& model) { return model.window.tokens > 0; }
constexpr bool has_state_space(const Transformer& model) { return model.state_space.heads > 0; }
constexpr bool has_latent_attention(const Transformer& model) { return model.latent.key_rank > 0; }
constexpr bool has_adapters(const Transformer& model) { return model.adapters.rank > 0; }

/// The layers with experts. Requires a model that has some.
constexpr Repetition expert_layers(const Transformer& model) {
  return {model.experts.first_dense_layers, model.experts.period};
}

/// And those without a window.
constexpr Repetition full_layers(const Transformer& model) {
  return {0, has_window(model) ? model.window.full_period : 1};
}

/// Of a model's layers, those without experts first, of these those without a window; of a pattern
/// in its order. What prediction layers alone are comes last.
LayerKinds layer_kinds(const Transformer& model);

/// The place in layer_kinds() of layer `layer` in [0, layers).
std::size_t kind_of_layer(const Transformer& model, std::int64_t layer);

/// And of prediction layers.
std::size_t kind_of_prediction(const Transformer& model);

/// Has a layer heads of attention, or this feed-forward network?
bool has_attention(const Transformer& model);
bool has_feed_forward(const Transformer& model, FeedForward which);

/// Layers of each kind among the first `layers` ones.
PerKind<std::int64_t> kinds_among(const Transformer& model, std::int64_t layers);

/// Size of a head's value, which latent attention states.
constexpr std::int64_t value_size(const Transformer& model) {
  return has_latent_attention(model) ? model.latent.value_size : model.head_size;
}

/// Weights of the mixer of one layer: h (2 a + 2 k) d; latent: h q + q a d + h (c + r) +
/// c a (d - r + u) + a u h with ranks q and c, rope size r and value size u [DeepSeekV2, section
/// 2.1]. Norms of the latent vectors are counted. Of a scan state_space_parameters().
double mixer_parameters(const Transformer& model, Mixer mixer);

/// A product with weights: inputs k and outputs n of a token.
struct ProductWidths {
  double inputs = 0.0;
  double outputs = 0.0;
};

/// Of the products of a layer that may have adapters, in the order of Adapters.
std::array<ProductWidths, 4> adaptable_products(const Transformer& model);

/// Of those that have adapters, how many, and their inputs and outputs together.
struct AdaptedProducts {
  double count = 0.0;
  double inputs = 0.0;   ///< sum of k
  double outputs = 0.0;  ///< sum of n
};
AdaptedProducts adapted_products(const Transformer& model);

/// Weights of the adapters of a layer: sum of r (k + n).
double adapter_parameters(const Transformer& model);

/// Of a state-space mixer on one of `ranks` that share its heads: products h (2 a p + 2 g n + a)
/// and a p h, convolution (a p + 2 g n)(w + 1), norm a p, and three numbers a head, with a heads of
/// size p, g groups, state size n and w tokens of the convolution [Eq. W-7].
double state_space_parameters(const Transformer& model, double ranks);

/// Weights of one layer: its mixer, a norm for each of its parts, and an FFN 2 or 3 h f; or the
/// router h E, projections 2 h l to and from a latent width l, shared experts and `experts`
/// experts: with E all of them, with k those that a token uses; adapters.
double layer_parameters(const Transformer& model, LayerKind kind, double experts = 0.0);

/// Width of what routed experts take in and return.
constexpr std::int64_t expert_hidden(const Transformer& model) {
  return model.experts.latent_size > 0 ? model.experts.latent_size : model.hidden;
}

/// Weights of one routed expert: 2 or 3 h f, of latent width where that is set.
double expert_parameters(const Transformer& model);

/// Weights of the embedding table or of the head: V h.
double embedding_parameters(const Transformer& model);

/// Of prediction layers: a projection 2 h h and two norms each, beside their block.
double prediction_parameters(const Transformer& model);

/// All weights; a tied matrix counts once.
double total_parameters(const Transformer& model);

/// N of the MFU formula: the head once and no input embedding, of experts those that a token uses
/// [docs/models.md, Eq. W-3].
double mfu_parameters(const Transformer& model);

/// Twice the keys that a token attends to on average: s, or the length of a packed sample, as masks
/// are causal; in a window of w < s tokens 2 w - w^2 / s [Eq. W-6]; none of a layer that does not
/// attend.
double attended_keys(const Transformer& model, Mixer mixer);

/// Of the keys that the tokens of a sequence attend to, those of its last 1 / `pieces`, over the
/// mean: 2 - 1 / c of c pieces where no window ends [Eq. T-8].
double last_piece_share(const Transformer& model, Mixer mixer, double pieces);

/// Tokens of a chunk of a scan.
double scan_chunk(const Transformer& model);

/// FLOPs of a token in a scan, forward: c (g n + a p) inside its chunk of c tokens, half of the
/// square, and 4 a p n to the chunk's state and from it [Mamba2, section 6; Eq. W-7].
double scan_flops(const Transformer& model);

/// Model FLOPs of one token, forward and backward: 6 N + 6 L a d s (causal) [Eq. W-4]; d is the
/// mean of a head's key and value, s in layers with a window W-6; three times scan_flops() of each
/// scan. A prediction layer counts as a layer and a pass over the head. A frozen weight has no
/// gradient: 4 in place of 6 [Eq. W-9].
double mfu_flops_per_token(const Transformer& model);

/// Matrices of an FFN: up and down, and a gate where there is one.
constexpr double ffn_matrices(const Transformer& model) { return model.gated_ffn ? 3.0 : 2.0; }

/// Weights of a layer's latent attention on one of `ranks` that share its heads; narrow vectors are
/// whole on each [DeepSeekV2, section 2.1].
double latent_attention_parameters(const Transformer& model, double ranks);

}  // namespace cubicbench::sim
