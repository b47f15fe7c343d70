#include "sim/workload/transformer.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

double norms(const Transformer& m) { return 2.0 * real(m.hidden); }

/// Of all layers, prediction layers among them, where one with experts has `with_experts`.
double all_layers(const Transformer& m, double with_experts) {
  const std::int64_t with = expert_layers_before(m, m.layers);
  const bool last_has = m.layers > 0 && is_expert_layer(m, m.layers - 1);
  const double without = layer_parameters(m);
  return real(m.layers - with) * without + real(with) * with_experts +
         real(m.prediction_layers) * (last_has ? with_experts : without);
}

/// Of the layers that a token passes.
double active_layers(const Transformer& m) {
  // With a capacity below the mean load some tokens pass fewer experts.
  const double capacity = real(m.experts.capacity_thousandths) / 1000.0;
  const double passed = m.experts.capacity_thousandths > 0 ? std::min(capacity, 1.0) : 1.0;
  return all_layers(m, expert_layer_parameters(m, passed * real(m.experts.per_token)));
}

}  // namespace

bool is_expert_layer(const Transformer& m, std::int64_t layer) {
  if (!has_experts(m) || layer < m.experts.first_dense_layers) return false;
  return (layer - m.experts.first_dense_layers + 1) % m.experts.period == 0;
}

std::int64_t expert_layers_before(const Transformer& m, std::int64_t layers) {
  if (!has_experts(m)) return 0;
  return std::max<std::int64_t>(0, layers - m.experts.first_dense_layers) / m.experts.period;
}

double attention_parameters(const Transformer& m) {
  if (has_latent_attention(m)) return latent_attention_parameters(m, 1.0);
  return real(m.hidden) * real(2 * m.attention_heads + 2 * m.kv_heads) * real(m.head_size);
}

double layer_parameters(const Transformer& m) {
  return attention_parameters(m) + ffn_matrices(m) * real(m.hidden) * real(m.ffn_hidden) + norms(m);
}

double expert_parameters(const Transformer& m) {
  return ffn_matrices(m) * real(m.hidden) * real(m.experts.ffn_hidden);
}

double expert_layer_parameters(const Transformer& m, double experts) {
  const double shared = ffn_matrices(m) * real(m.hidden) * real(m.experts.shared_ffn_hidden);
  const double router = real(m.hidden) * real(m.experts.count);
  return attention_parameters(m) + router + experts * expert_parameters(m) + shared + norms(m);
}

double embedding_parameters(const Transformer& m) { return real(m.vocabulary) * real(m.hidden); }

double prediction_parameters(const Transformer& m) {
  const double h = real(m.hidden);
  return real(m.prediction_layers) * (2.0 * h * h + 2.0 * h);
}

double total_parameters(const Transformer& m) {
  const double matrices = m.tied_embeddings ? 1.0 : 2.0;
  const double final_norm = real(m.hidden);
  return all_layers(m, expert_layer_parameters(m, real(m.experts.count))) +
         prediction_parameters(m) + matrices * embedding_parameters(m) + final_norm;
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
