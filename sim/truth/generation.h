#pragma once

#include <cstdint>

#include "sim/program/step_program.h"
#include "sim/truth/decoding.h"

namespace cubicbench::sim {

/// What is generated before policies are trained on it, by all GPUs of a job together.
struct GenerationBatch {
  std::int64_t prompts = 1;
  std::int64_t responses = 1;  ///< to each prompt
  double prompt = 0.0;         ///< tokens of one
  ResponseLengths lengths;
};

/// Memory of each GPU while the job generates.
struct GenerationMemory {
  Bytes weights;
  Bytes response;  ///< cache of the longest one with its prompt
  Bytes room;      ///< for both

  bool fits() const { return weights + response <= room; }
};

struct GenerationReport {
  GenerationMemory memory;
  double decoders = 1.0;
  double responses = 0.0;  ///< of the decoder with most of them
  double slots = 1.0;      ///< of these, how many are decoded at once
  double token_steps = 0.0;
  Seconds prefill{};
  Seconds decode{};
};

/// Generation on all GPUs of `decoder.on.cluster`, as many decoders as there are groups of
/// `decoder.tensor`; `room` is what a GPU has for it. Where the longest response does not fit,
/// only `memory` says anything.
///
/// Each prompt is computed once for all of its responses, which share its cache [vLLM23], in passes
/// of as many tokens as `tokens_at_once`: forward_pass() under tensor parallelism alone. Slots are
/// what the room holds of responses of the mean length [docs/models.md, Eq. A-4].
GenerationReport generation(const Decoder& decoder, const GenerationBatch& batch, Bytes room,
                            double tokens_at_once, StepProgram& program);

/// From the layout of training to that of `decoder`: a GPU that has `held` bytes of weights gathers
/// what it needs among as many ranks as hold that together [HybridFlow24]; nothing where it has
/// enough. They are taken to lie `tensor` ranks apart, side by side [docs/models.md, Eq. A-5].
Seconds resharding_time(const Decoder& decoder, Bytes held);

}  // namespace cubicbench::sim
