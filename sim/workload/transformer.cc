#include "sim/workload/transformer.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// Of all layers, prediction layers among them, with `experts` experts each where they have some.
double all_layers(const Transformer& m, double experts) {
  const LayerKinds kinds = layer_kinds(m);
  const PerKind<std::int64_t> counts = kinds_among(m, m.layers);
  double sum = 0.0;
  for (std::size_t i = 0; i < kinds.count; ++i) {
    sum += real(counts[i]) * layer_parameters(m, kinds.list[i], experts);
  }
  const LayerKind last = kinds.list[kind_of_layer(m, m.layers - 1)];
  return sum + real(m.prediction_layers) * layer_parameters(m, last, experts);
}

/// Of the layers that a token passes.
double active_layers(const Transformer& m) {
  // With a capacity below the mean load some tokens pass fewer experts.
  const double capacity = real(m.experts.capacity_thousandths) / 1000.0;
  const double passed = m.experts.capacity_thousandths > 0 ? std::min(capacity, 1.0) : 1.0;
  return all_layers(m, passed * real(m.experts.per_token));
}

/// Of the first `layers` layers, those with experts.
std::int64_t experts_among(const Transformer& m, std::int64_t layers) {
  return has_experts(m) ? expert_layers(m).among(layers) : 0;
}

}  // namespace

LayerKinds layer_kinds(const Transformer& m) {
  const Mixer mixer = has_latent_attention(m) ? Mixer::latent_attention : Mixer::attention;
  const std::int64_t with = experts_among(m, m.layers);
  LayerKinds kinds;
  if (with < m.layers || with == 0) kinds.add({mixer, FeedForward::dense});
  if (with > 0) kinds.add({mixer, FeedForward::experts});
  return kinds;
}

std::size_t kind_of_layer(const Transformer& m, std::int64_t layer) {
  return layer_kinds(m).count > 1 && expert_layers(m).has(layer) ? 1 : 0;
}

PerKind<std::int64_t> kinds_among(const Transformer& m, std::int64_t layers) {
  if (layer_kinds(m).count == 1) return {layers};
  const std::int64_t with = experts_among(m, layers);
  return {layers - with, with};
}

double attention_parameters(const Transformer& m, Mixer mixer) {
  if (mixer == Mixer::latent_attention) return latent_attention_parameters(m, 1.0);
  return real(m.hidden) * real(2 * m.attention_heads + 2 * m.kv_heads) * real(m.head_size);
}

double layer_parameters(const Transformer& m, LayerKind kind, double experts) {
  const double matrices = ffn_matrices(m) * real(m.hidden);
  const double norms = 2.0 * real(m.hidden);
  const double attention = attention_parameters(m, kind.mixer);
  if (kind.ffn == FeedForward::dense) return attention + matrices * real(m.ffn_hidden) + norms;
  const double router = real(m.hidden) * real(m.experts.count);
  return attention + router + experts * expert_parameters(m) +
         matrices * real(m.experts.shared_ffn_hidden) + norms;
}

double expert_parameters(const Transformer& m) {
  return ffn_matrices(m) * real(m.hidden) * real(m.experts.ffn_hidden);
}

double embedding_parameters(const Transformer& m) { return real(m.vocabulary) * real(m.hidden); }

double prediction_parameters(const Transformer& m) {
  const double h = real(m.hidden);
  return real(m.prediction_layers) * (2.0 * h * h + 2.0 * h);
}

double total_parameters(const Transformer& m) {
  const double matrices = m.tied_embeddings ? 1.0 : 2.0;
  const double final_norm = real(m.hidden);
  return all_layers(m, real(m.experts.count)) + prediction_parameters(m) +
         matrices * embedding_parameters(m) + final_norm;
}

double mfu_parameters(const Transformer& m) {
  return active_layers(m) + prediction_parameters(m) +
         real(1 + m.prediction_layers) * embedding_parameters(m) + real(m.hidden);
}

double mfu_flops_per_token(const Transformer& m) {
  const double width = real(m.attention_heads) * 0.5 * real(m.head_size + value_size(m));
  return 6.0 * mfu_parameters(m) +
         6.0 * real(m.layers + m.prediction_layers) * width * real(m.sequence);
}

double latent_attention_parameters(const Transformer& m, double ranks) {
  const LatentAttention& latent = m.latent;
  const double h = real(m.hidden);
  const double a = real(m.attention_heads) / ranks;
  const double q = real(latent.query_rank);
  const double c = real(latent.key_rank);
  const double queries =
      q > 0.0 ? h * q + q + q * a * real(m.head_size) : h * a * real(m.head_size);
  const double down = h * (c + real(latent.rope_size)) + c;
  const double up = c * a * real(m.head_size - latent.rope_size + latent.value_size);
  return queries + down + up + a * real(latent.value_size) * h;
}

}  // namespace cubicbench::sim
