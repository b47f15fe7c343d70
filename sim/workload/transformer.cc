#include "sim/workload/transformer.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// Layers of each kind, prediction layers among them.
PerKind<std::int64_t> all_kinds(const Transformer& m) {
  PerKind<std::int64_t> counts = kinds_among(m, m.layers);
  counts[kind_of_layer(m, m.layers - 1)] += m.prediction_layers;
  return counts;
}

/// Of all of them, with `experts` experts each where they have some.
double all_layers(const Transformer& m, double experts) {
  const LayerKinds kinds = layer_kinds(m);
  const PerKind<std::int64_t> counts = all_kinds(m);
  double sum = 0.0;
  for (std::size_t i = 0; i < kinds.count; ++i) {
    sum += real(counts[i]) * layer_parameters(m, kinds.list[i], experts);
  }
  return sum;
}

/// Of the layers that a token passes.
double active_layers(const Transformer& m) {
  // With a capacity below the mean load some tokens pass fewer experts.
  const double capacity = real(m.experts.capacity_thousandths) / 1000.0;
  const double passed = m.experts.capacity_thousandths > 0 ? std::min(capacity, 1.0) : 1.0;
  return all_layers(m, passed * real(m.experts.per_token));
}

/// Layers of a kind that a model may have.
struct KindCount {
  LayerKind kind;
  std::int64_t layers = 0;
};

/// Among the first `layers` ones.
PerKind<KindCount> counted(const Transformer& m, std::int64_t layers) {
  const Mixer full = has_latent_attention(m) ? Mixer::latent_attention : Mixer::attention;
  const std::int64_t whole = full_layers(m).among(layers);
  const std::int64_t experts = has_experts(m) ? expert_layers(m).among(layers) : 0;
  std::int64_t both = experts;
  if (has_window(m) && has_experts(m)) {
    both = 0;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      both += full_layers(m).has(layer) && expert_layers(m).has(layer) ? 1 : 0;
    }
  }
  return {{{{full, FeedForward::dense}, whole - both},
           {{Mixer::window, FeedForward::dense}, layers - whole - experts + both},
           {{full, FeedForward::experts}, both},
           {{Mixer::window, FeedForward::experts}, experts - both}}};
}

}  // namespace

LayerKinds layer_kinds(const Transformer& m) {
  const Mixer full = has_latent_attention(m) ? Mixer::latent_attention : Mixer::attention;
  if (!has_window(m) && !has_experts(m)) return {.list = {LayerKind{full}}, .count = 1};
  LayerKinds kinds;
  for (const KindCount& one : counted(m, m.layers)) {
    if (one.layers > 0) kinds.list[kinds.count++] = one.kind;
  }
  return kinds;
}

std::size_t kind_of_layer(const Transformer& m, std::int64_t layer) {
  const PerKind<std::int64_t> before = kinds_among(m, layer);
  const PerKind<std::int64_t> behind = kinds_among(m, layer + 1);
  return static_cast<std::size_t>(std::ranges::mismatch(before, behind).in1 - before.begin());
}

PerKind<std::int64_t> kinds_among(const Transformer& m, std::int64_t layers) {
  const PerKind<KindCount> all = counted(m, m.layers);
  const PerKind<KindCount> some = counted(m, layers);
  PerKind<std::int64_t> counts{};
  std::size_t kinds = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].layers > 0) counts[kinds++] = some[i].layers;
  }
  return counts;
}

double attention_parameters(const Transformer& m, Mixer mixer) {
  if (mixer == Mixer::latent_attention) return latent_attention_parameters(m, 1.0);
  return real(m.hidden) * real(2 * m.attention_heads + 2 * m.kv_heads) * real(m.head_size);
}

std::array<ProductWidths, 4> adaptable_products(const Transformer& m) {
  const double h = real(m.hidden);
  const double d = real(m.head_size);
  const double heads = real(m.attention_heads) * d;
  const double f = real(m.ffn_hidden);
  return {{{h, heads + 2.0 * real(m.kv_heads) * d},
           {heads, h},
           {h, (m.gated_ffn ? 2.0 : 1.0) * f},
           {f, h}}};
}

AdaptedProducts adapted_products(const Transformer& m) {
  const std::array<ProductWidths, 4> products = adaptable_products(m);
  AdaptedProducts adapted;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (!m.adapters.products[i]) continue;
    adapted.count += 1.0;
    adapted.inputs += products[i].inputs;
    adapted.outputs += products[i].outputs;
  }
  return adapted;
}

double adapter_parameters(const Transformer& m) {
  const AdaptedProducts adapted = adapted_products(m);
  return real(m.adapters.rank) * (adapted.inputs + adapted.outputs);
}

double layer_parameters(const Transformer& m, LayerKind kind, double experts) {
  const double matrices = ffn_matrices(m) * real(m.hidden);
  const double norms = 2.0 * real(m.hidden);
  double attention = attention_parameters(m, kind.mixer);
  if (has_adapters(m)) attention += adapter_parameters(m);
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

double attended_keys(const Transformer& m, Mixer mixer) {
  const double s = real(m.packed_sample > 0 ? m.packed_sample : m.sequence);
  const double w = mixer == Mixer::window ? std::min(real(m.window.tokens), s) : s;
  return 2.0 * w - w * w / s;
}

double mfu_flops_per_token(const Transformer& m) {
  const double width = real(m.attention_heads) * 0.5 * real(m.head_size + value_size(m));
  const LayerKinds kinds = layer_kinds(m);
  const PerKind<std::int64_t> counts = all_kinds(m);
  double keys = 0.0;
  for (std::size_t i = 0; i < kinds.count; ++i) {
    keys += real(counts[i]) * attended_keys(m, kinds.list[i].mixer);
  }
  const double trained = 6.0 * mfu_parameters(m) + 6.0 * width * keys;
  if (!has_adapters(m)) return trained;
  const double layers = real(m.layers + m.prediction_layers);
  return trained - 2.0 * (mfu_parameters(m) - layers * adapter_parameters(m));
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
