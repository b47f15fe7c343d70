#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/engine/step_report.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// A copy of a model that generates text, a token at a time, on `tensor` GPUs which share every
/// layer. Of the plan it reads number formats alone: weights, cache and activations are stored in
/// param_dtype.
struct Decoder {
  const Transformer& model;
  StepContext on;
  std::int64_t tensor = 1;
};

/// How many tokens the responses of a batch have. Nobody publishes distributions in a common form;
/// assumed is the one-parameter family on [0, longest] with this mean, in which the share of
/// responses longer than x is (1 - x / longest)^a, a = longest / mean - 1: all equal for a = 0,
/// uniform for a = 1. Requires 0 <= mean <= longest.
struct ResponseLengths {
  double mean = 0.0;
  double longest = 0.0;
};

/// Share of the responses that are longer than `tokens`, at most the longest. Requires a mean > 0.
double share_longer(const ResponseLengths& lengths, double tokens);

/// Tokens that a response has so far, on average over those in decoding while finished ones are
/// replaced: E[X^2] / (2 E[X]) = longest / (a + 2). Requires a mean > 0.
double mean_age(const ResponseLengths& lengths);

/// Weights on each GPU; those of prediction layers are left out.
Bytes decoder_weights(const Decoder& decoder);

/// Keys and values that each GPU keeps of a sequence of `tokens`: in a layer of attention
/// 2 max(1, k / t) d elements a token, of latent attention its narrow vectors, which no rank
/// shares, of a window its tokens; of a scan its state, however long the sequence is.
Bytes cache_bytes(const Decoder& decoder, double tokens);

/// One token of each of `sequences` sequences, whose context has `context` tokens.
///
///   t = max((W + b K) / (e B), b F / (f P)) + n_p (6 t0 + t_ar)    [docs/models.md, Eq. A-2]
///
/// W weights that are read, of E experts a layer E (1 - (1 - k / E)^b); K the cache of a sequence;
/// e B the streaming rate of the device's memory, f P its rate of products in a training step; F
/// operations of a token; n_p the parts of all layers (a mixer or a feed-forward network), each
/// with half a dozen kernels of overhead t0, as in a forward pass (layer_launches), and an
/// all-reduce of b hidden states. The host launches one captured graph a step and is ahead of the
/// device. Left out: sampling, and what a state of a scan takes to be written.
Seconds token_step(const Decoder& decoder, double sequences, double context);

/// Responses that one decoder generates.
struct DecodingWork {
  double responses = 0.0;
  double slots = 1.0;   ///< of them, how many fit at once
  double prompt = 0.0;  ///< tokens
  ResponseLengths lengths;
};

struct DecodingTime {
  double token_steps = 0.0;
  Seconds time{};
};

/// Continuous batching: a response that is over makes room for one that waits [Orca22]. With n
/// responses and c slots
///
///   steps = (n - c) mean / c + longest                             [docs/models.md, Eq. A-3]
///
/// While responses wait all slots are taken. The last c begin together, as list scheduling bounds
/// it [Graham69], and only the longest of them is there at the end. Nothing where responses are
/// empty. Requires at least one slot.
DecodingTime decoding_time(const Decoder& decoder, const DecodingWork& work);

}  // namespace cubicbench::sim
