#pragma once

#include <cstdint>

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Model chunks on each stage: v when interleaved, else 1.
std::int64_t chunks_per_stage(const Plan& plan);

/// Layers of stage `stage` in [0, pipeline_parallel). They sum to the model's layers. Megatron-Core
/// takes only layers that divide among the chunks, or that do so with embedding and loss counted as
/// a layer each: even_or_ends_short (account_for_embedding_in_pipeline_split). By cost, a
/// stage ends with the layer at which the weights so far reach its share of all layers and the
/// head; the last one may hold the head alone. Source: nanotron's assignment of blocks to stages.
std::int64_t stage_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage);

/// Micro-batches whose activations stage `stage` holds at once, in units of all its layers
/// [docs/models.md, Eq. P-3]: GPipe m; 1F1B min(m, p - i); interleaved
/// min(v m, 2 (p - i - 1) + (v - 1) p + 1) chunks of its v [Megatron21, section 2.2].
double in_flight(const Plan& plan, std::int64_t micro_batches, std::int64_t stage);

}  // namespace cubicbench::sim
