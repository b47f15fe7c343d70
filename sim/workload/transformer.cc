#include "sim/workload/transformer.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// Layers of each kind, prediction layers among them.
PerKind<std::int64_t> all_kinds(const Transformer& m) {
  PerKind<std::int64_t> counts = kinds_among(m, m.layers);
  counts[kind_of_prediction(m)] += m.prediction_layers;
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

/// Adds `kind` where it is new; its place.
std::size_t place_in(LayerKinds& kinds, LayerKind kind) {
  std::size_t place = 0;
  while (place < kinds.count && kinds.list[place] != kind) ++place;
  if (place == kinds.count) {
    SIM_ASSERT(kinds.count < layer_kinds_max, kinds.count);
    kinds.list[kinds.count++] = kind;
  }
  return place;
}

LayerKinds kinds_of_pattern(const Transformer& m) {
  LayerKinds kinds;
  for (const LayerKind kind : m.pattern) place_in(kinds, kind);
  if (m.prediction_layers > 0 && m.prediction_kind) place_in(kinds, *m.prediction_kind);
  return kinds;
}

/// Of the first `layers` ones of a pattern that repeats.
PerKind<std::int64_t> among_pattern(const Transformer& m, std::int64_t layers) {
  const auto size = static_cast<std::int64_t>(m.pattern.size());
  LayerKinds kinds;
  PerKind<std::int64_t> counts{};
  for (std::int64_t i = 0; i < size; ++i) {
    const std::size_t place = place_in(kinds, m.pattern[static_cast<std::size_t>(i)]);
    counts[place] += (layers + size - 1 - i) / size;
  }
  return counts;
}

}  // namespace

LayerKinds layer_kinds(const Transformer& m) {
  if (!m.pattern.empty()) return kinds_of_pattern(m);
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

std::size_t kind_of_prediction(const Transformer& m) {
  if (m.pattern.empty() || m.prediction_layers == 0 || !m.prediction_kind) {
    return kind_of_layer(m, m.layers - 1);
  }
  LayerKinds kinds = layer_kinds(m);
  return place_in(kinds, *m.prediction_kind);
}

bool has_attention(const Transformer& m) {
  const LayerKinds kinds = layer_kinds(m);
  return std::any_of(kinds.list.begin(), kinds.list.begin() + kinds.count,
                     [](LayerKind kind) { return traits(kind.mixer).attends; });
}

bool has_feed_forward(const Transformer& m, FeedForward which) {
  const LayerKinds kinds = layer_kinds(m);
  return std::any_of(kinds.list.begin(), kinds.list.begin() + kinds.count,
                     [&](LayerKind kind) { return kind.ffn == which; });
}

PerKind<std::int64_t> kinds_among(const Transformer& m, std::int64_t layers) {
  if (!m.pattern.empty()) return among_pattern(m, layers);
  const PerKind<KindCount> all = counted(m, m.layers);
  const PerKind<KindCount> some = counted(m, layers);
  PerKind<std::int64_t> counts{};
  std::size_t kinds = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].layers > 0) counts[kinds++] = some[i].layers;
  }
  return counts;
}

double mixer_parameters(const Transformer& m, Mixer mixer) {
  if (mixer == Mixer::none) return 0.0;
  if (mixer == Mixer::scan) return state_space_parameters(m, 1.0);
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

double state_space_parameters(const Transformer& m, double ranks) {
  const StateSpace& space = m.state_space;
  const double heads = real(space.heads) / ranks;
  const double inner = heads * real(space.head_size);
  const double shared = 2.0 * real(space.groups * space.state_size) / ranks;
  const double products = real(m.hidden) * (3.0 * inner + shared + heads);
  const double convolution = (inner + shared) * real(space.convolution + 1);
  return products + convolution + inner + 3.0 * heads;
}

double layer_parameters(const Transformer& m, LayerKind kind, double experts) {
  const double matrices = ffn_matrices(m) * real(m.hidden);
  const double norms = parts(kind) * real(m.hidden);
  double mixer = mixer_parameters(m, kind.mixer);
  if (has_adapters(m)) mixer += adapter_parameters(m);
  if (kind.ffn == FeedForward::none) return mixer + norms;
  if (kind.ffn == FeedForward::dense) return mixer + matrices * real(m.ffn_hidden) + norms;
  const double router = real(m.hidden) * real(m.experts.count + 2 * m.experts.latent_size);
  return mixer + router + experts * expert_parameters(m) +
         matrices * real(m.experts.shared_ffn_hidden) + norms;
}

double expert_parameters(const Transformer& m) {
  return ffn_matrices(m) * real(expert_hidden(m)) * real(m.experts.ffn_hidden);
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
  if (!traits(mixer).attends) return 0.0;
  const double s = real(m.packed_sample > 0 ? m.packed_sample : m.sequence);
  const double w = mixer == Mixer::window ? std::min(real(m.window.tokens), s) : s;
  return 2.0 * w - w * w / s;
}

double last_piece_share(const Transformer& m, Mixer mixer, double pieces) {
  const double s = real(m.sequence);
  const double w = mixer == Mixer::window ? std::min(real(m.window.tokens), s) : s;
  // Keys that the first x tokens attend to, of all of them.
  const auto attended = [&](double x) { return x < w ? 0.5 * x * x : w * x - 0.5 * w * w; };
  return pieces * (1.0 - attended(s - s / pieces) / attended(s));
}

double scan_chunk(const Transformer& m) { return real(std::min(m.state_space.chunk, m.sequence)); }

double scan_flops(const Transformer& m) {
  const StateSpace& space = m.state_space;
  const double inner = real(space.heads * space.head_size);
  const double state = real(space.state_size);
  return scan_chunk(m) * (real(space.groups) * state + inner) + 4.0 * inner * state;
}

double mfu_flops_per_token(const Transformer& m) {
  const double width = real(m.attention_heads) * 0.5 * real(m.head_size + value_size(m));
  const LayerKinds kinds = layer_kinds(m);
  const PerKind<std::int64_t> counts = all_kinds(m);
  double keys = 0.0;
  double scans = 0.0;
  for (std::size_t i = 0; i < kinds.count; ++i) {
    keys += real(counts[i]) * attended_keys(m, kinds.list[i].mixer);
    if (kinds.list[i].mixer == Mixer::scan) scans += real(counts[i]);
  }
  const double trained = 6.0 * mfu_parameters(m) + 6.0 * width * keys + 3.0 * scans * scan_flops(m);
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
