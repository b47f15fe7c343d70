#include "sim/truth/decoding.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/kernels/kernels.h"
#include "sim/network/collective.h"
#include "sim/network/placement.h"

namespace cubicbench::sim {
namespace {

constexpr double kernels_of_part = 6.0;  // a forward pass is a dozen kernels [Eq. E-3]
constexpr int tail_pieces = 128;         // of the integral over the last responses

double element_bytes(const Decoder& decoder) { return storage_bytes(decoder.on.plan.param_dtype); }

/// a of ResponseLengths.
double shape_of(const ResponseLengths& lengths) { return lengths.longest / lengths.mean - 1.0; }

/// Calls `visit` with each kind of layer and how many there are.
void for_each_kind(const Transformer& model, auto visit) {
  const LayerKinds kinds = layer_kinds(model);
  const PerKind<std::int64_t> counts = kinds_among(model, model.layers);
  for (std::size_t i = 0; i < kinds.count; ++i) visit(kinds.list[i], real(counts[i]));
}

/// Weights of all layers with `experts` experts each where they have some, and of the head.
double parameters_with(const Transformer& model, double experts) {
  double sum = embedding_parameters(model);
  for_each_kind(model, [&](LayerKind kind, double layers) {
    sum += layers * layer_parameters(model, kind, experts);
  });
  return sum;
}

/// Elements that a rank keeps of `tokens` in one layer.
double kept_elements(const Decoder& decoder, Mixer mixer, double tokens) {
  const Transformer& m = decoder.model;
  const double ranks = real(decoder.tensor);
  const double width = std::max(1.0, real(m.kv_heads) / ranks) * real(m.head_size + value_size(m));
  switch (mixer) {
    case Mixer::attention:
      return width * tokens;
    case Mixer::window:
      return width * std::min(tokens, real(m.window.tokens));
    case Mixer::latent_attention:
      return real(m.latent.key_rank + m.latent.rope_size) * tokens;
    case Mixer::scan:
      return real(m.state_space.heads * m.state_space.head_size * m.state_space.state_size) / ranks;
    case Mixer::none:
      return 0.0;
  }
  return 0.0;
}

/// Operations of one token over a context, in one layer: its scores and what they weigh. Latent
/// attention works on the narrow vectors [DeepSeekV2, section 2.1].
double mixing_flops(const Transformer& m, Mixer mixer, double context) {
  const double heads = real(m.attention_heads);
  switch (mixer) {
    case Mixer::attention:
      return 2.0 * heads * real(m.head_size + value_size(m)) * context;
    case Mixer::window:
      return 2.0 * heads * real(m.head_size + value_size(m)) *
             std::min(context, real(m.window.tokens));
    case Mixer::latent_attention:
      return 2.0 * heads * real(2 * m.latent.key_rank + m.latent.rope_size) * context;
    case Mixer::scan:
      return 4.0 * real(m.state_space.heads * m.state_space.head_size * m.state_space.state_size);
    case Mixer::none:
      return 0.0;
  }
  return 0.0;
}

/// Experts of a layer that the tokens of `sequences` are sent to, each to any with equal chance.
double experts_read(const Experts& experts, double sequences) {
  if (experts.count == 0) return 0.0;
  const double missed = 1.0 - real(experts.per_token) / real(experts.count);
  return real(experts.count) * (missed > 0.0 ? 1.0 - pow(missed, sequences) : 1.0);
}

Bytes bytes_read(const Decoder& decoder, double sequences, double context) {
  const Transformer& model = decoder.model;
  const double weights = parameters_with(model, experts_read(model.experts, sequences));
  return Bytes{element_bytes(decoder) * weights / real(decoder.tensor)} +
         sequences * cache_bytes(decoder, context);
}

Flops work_of(const Decoder& decoder, double sequences, double context) {
  const Transformer& model = decoder.model;
  double token = 2.0 * parameters_with(model, real(model.experts.per_token));
  for_each_kind(model, [&](LayerKind kind, double layers) {
    token += layers * mixing_flops(model, kind.mixer, context);
  });
  return Flops{sequences * token / real(decoder.tensor)};
}

FlopsPerSecond product_rate(const StepContext& on) {
  const Device& device = on.cluster.device;
  const Dtype dtype = attention_dtype(on.plan.dtype);
  return device.matmul_peak[row_of(dtype)] *
         (device.gemm_efficiency * training_factor(device, dtype, on.stack));
}

Seconds time_of_parts(const Decoder& decoder, double sequences) {
  const Cluster& cluster = decoder.on.cluster;
  const std::int64_t t = decoder.tensor;
  const Group group = placed(
      {.ranks = t, .ranks_per_node = std::min<std::int64_t>(t, cluster.gpus_per_node)}, 1, cluster);
  const Bytes states{element_bytes(decoder) * sequences * real(decoder.model.hidden)};
  const Seconds each =
      kernels_of_part * cluster.device.kernel_overhead + all_reduce(states, group, cluster.network);
  double all = 0.0;
  for_each_kind(decoder.model, [&](LayerKind kind, double layers) { all += layers * parts(kind); });
  return all * each;
}

}  // namespace

double share_longer(const ResponseLengths& lengths, double tokens) {
  SIM_ASSERT(lengths.mean > 0.0 && tokens <= lengths.longest);
  const double a = shape_of(lengths);
  return a == 0.0 ? 1.0 : pow(1.0 - tokens / lengths.longest, a);
}

double mean_age(const ResponseLengths& lengths) {
  SIM_ASSERT(lengths.mean > 0.0);
  return lengths.longest / (shape_of(lengths) + 2.0);
}

Bytes decoder_weights(const Decoder& decoder) {
  Transformer model = decoder.model;
  model.prediction_layers = 0;
  return Bytes{element_bytes(decoder) * total_parameters(model) / real(decoder.tensor)};
}

Bytes cache_bytes(const Decoder& decoder, double tokens) {
  double elements = 0.0;
  for_each_kind(decoder.model, [&](LayerKind kind, double layers) {
    elements += layers * kept_elements(decoder, kind.mixer, tokens);
  });
  return Bytes{element_bytes(decoder) * elements};
}

Seconds token_step(const Decoder& decoder, double sequences, double context) {
  const Seconds memory =
      memory_bound_time(decoder.on.cluster.device, bytes_read(decoder, sequences, context));
  const Seconds compute = work_of(decoder, sequences, context) / product_rate(decoder.on);
  return max(memory, compute) + time_of_parts(decoder, sequences);
}

DecodingTime decoding_time(const Decoder& decoder, const DecodingWork& work) {
  SIM_ASSERT(work.slots >= 1.0, work.slots);
  const ResponseLengths& lengths = work.lengths;
  if (work.responses <= 0.0 || lengths.mean <= 0.0) return {};
  const double together = std::min(work.slots, work.responses);
  const double refilled = (work.responses - together) * lengths.mean / together;
  DecodingTime decoding{.token_steps = refilled + lengths.longest};
  if (refilled > 0.0) {
    decoding.time = refilled * token_step(decoder, together, work.prompt + mean_age(lengths));
  }
  const double piece = lengths.longest / tail_pieces;
  for (int i = 0; i < tail_pieces; ++i) {
    const double tokens = (i + 0.5) * piece;
    const double left = std::max(1.0, together * share_longer(lengths, tokens));
    decoding.time += piece * token_step(decoder, left, work.prompt + tokens);
  }
  return decoding;
}

}  // namespace cubicbench::sim
