#pragma once

#include <cstdint>
#include <optional>

#include "sim/workload/transformer.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// What a published model has beyond a dense transformer; nothing of what it does not have.
struct ModelMixture {
  std::optional<sim::Experts> experts;
  std::optional<sim::LatentAttention> latent;
  std::optional<std::int64_t> prediction_layers;
};

/// Reads the keys `experts`, `latent_attention` and `prediction_layers` of a family or of a size.
ModelMixture read_mixture(support::ObjectReader& in);

/// `mixture`, and where it says nothing `otherwise`.
ModelMixture with_rest_of(const ModelMixture& mixture, const ModelMixture& otherwise);

}  // namespace cubicbench::datasets
