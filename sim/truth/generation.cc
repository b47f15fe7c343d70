#include "sim/truth/generation.h"

#include <algorithm>
#include <cmath>

#include "sim/engine/forward_pass.h"
#include "sim/network/collective.h"
#include "sim/network/placement.h"

namespace cubicbench::sim {
namespace {

/// Largest share that one of `parts` has of `count` things that cannot be divided.
double most_of(std::int64_t count, double parts) { return std::ceil(real(count) / parts); }

Seconds prefill_time(const Decoder& decoder, const GenerationBatch& batch, double prompts,
                     double tokens_at_once, StepProgram& program) {
  if (batch.prompt < 1.0) return {};
  Transformer model = decoder.model;
  model.sequence = static_cast<std::int64_t>(batch.prompt);
  model.packed_sample = 0;
  const double at_once = std::clamp(std::floor(tokens_at_once / batch.prompt), 1.0, prompts);
  const StepContext& on = decoder.on;
  Plan plan{.tensor_parallel = decoder.tensor,
            .expert_tensor_parallel = has_experts(model) ? decoder.tensor : 1,
            .micro_batch = static_cast<std::int64_t>(at_once),
            .dtype = attention_dtype(on.plan.dtype),
            .param_dtype = on.plan.param_dtype,
            .compile = on.plan.compile};
  const std::int64_t copies = std::max<std::int64_t>(on.cluster.gpus / decoder.tensor, 1);
  plan.global_batch = static_cast<std::int64_t>(prompts) * copies;
  return forward_pass(model, {on.cluster, on.stack, plan}, ForwardHead::none, program).time;
}

}  // namespace

GenerationReport generation(const Decoder& decoder, const GenerationBatch& batch, Bytes room,
                            double tokens_at_once, StepProgram& program) {
  const double whole = batch.prompt + batch.lengths.longest;
  GenerationReport report{.memory = {.weights = decoder_weights(decoder),
                                     .response = cache_bytes(decoder, whole),
                                     .room = room}};
  if (!report.memory.fits()) return report;
  report.decoders = std::floor(real(decoder.on.cluster.gpus) / real(decoder.tensor));
  report.responses = most_of(batch.prompts * batch.responses, report.decoders);
  const Bytes mean =
      cache_bytes(decoder, batch.prompt / real(batch.responses) + batch.lengths.mean);
  const double fitting =
      mean > Bytes{} ? std::floor((room - report.memory.weights) / mean) : report.responses;
  report.slots = std::clamp(fitting, 1.0, report.responses);
  report.prefill = prefill_time(decoder, batch, most_of(batch.prompts, report.decoders),
                                tokens_at_once, program);
  const DecodingTime decoding = decoding_time(decoder, {.responses = report.responses,
                                                        .slots = report.slots,
                                                        .prompt = batch.prompt,
                                                        .lengths = batch.lengths});
  report.token_steps = decoding.token_steps;
  report.decode = decoding.time;
  return report;
}

Seconds resharding_time(const Decoder& decoder, Bytes held) {
  const Bytes needed = decoder_weights(decoder);
  // Ends of the model are divided less evenly than its layers: of that no further rank.
  constexpr double uneven = 0.05;
  const auto ranks = static_cast<std::int64_t>(std::ceil(needed / held - uneven));
  if (ranks <= 1) return {};
  const Cluster& cluster = decoder.on.cluster;
  const std::int64_t t = decoder.tensor;
  const std::int64_t on_node = std::clamp<std::int64_t>(cluster.gpus_per_node / t, 1, ranks);
  const Group group = placed({.ranks = ranks, .ranks_per_node = on_node}, t, cluster);
  return all_gather(needed, group, cluster.network);
}

}  // namespace cubicbench::sim
