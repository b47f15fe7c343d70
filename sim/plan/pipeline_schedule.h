#pragma once

#include <cstdint>

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Model chunks on each stage: v when interleaved, 2 in a V and with DualPipe, else 1.
std::int64_t chunks_per_stage(const Plan& plan);

/// Whether a stage has the embedding, and the head. In a V the first stage has both, with DualPipe
/// the first and the last one.
bool stage_has_embedding(const Plan& plan, std::int64_t stage);
bool stage_has_head(const Plan& plan, std::int64_t stage);

/// Layers of stage `stage` in [0, pipeline_parallel). They sum to the model's layers, with DualPipe
/// to twice as many: stages i and p - 1 - i hold the same ones. Megatron-Core takes only layers
/// that divide among the chunks, or that do so with embedding and loss counted as a layer each:
/// even_or_ends_short (account_for_embedding_in_pipeline_split); other numbers need a layout of
/// their own. even_or_front_full: every chunk but the last has ceil((L + predictions + 1) / chunks)
/// layers, as the layouts of DeepSeek-V3 and Kimi K2 in github.com/NVIDIA-NeMo/Megatron-Bridge. By
/// cost, a stage ends with the layer at which the weights so far reach its share of all layers and
/// the head; the last one may hold the head alone. Source: nanotron's assignment of blocks to
/// stages. The chunks of a V are balanced as 2 p stages are.
std::int64_t stage_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage);

/// Of them, those in chunk `chunk`. Requires a schedule with split backward passes.
std::int64_t chunk_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage, std::int64_t chunk);

/// And those of the model before them.
std::int64_t layers_before_chunk(const Plan& plan, const Transformer& model, StageBalance balance,
                                 std::int64_t stage, std::int64_t chunk);

/// Stages that hold the same weights and share their optimizer's state: 2 with DualPipe, else 1.
constexpr std::int64_t weight_copies(const Plan& plan) {
  return traits(plan.schedule).both_ways ? 2 : 1;
}

/// Micro-batches whose activations stage `stage` holds at once, in units of all its layers
/// [docs/models.md, Eq. P-3]: GPipe m; 1F1B min(m, p - i); interleaved
/// min(v m, 2 (p - i - 1) + (v - 1) p + 1) chunks of its v [Megatron21, section 2.2]; ZB-H1 and
/// ZB-V p, ZB-H2 2 p - 1 [ZeroBubble]; V-Half floor((p + 2) / 2), V-Min floor((p + 4) / 3)
/// [VSchedules]; DualPipe p + 1 and DualPipeV 2 p + 1 chunks of 2 [DualPipe]. With split backward
/// passes all of them until the weights have their gradients; m where that is less.
double in_flight(const Plan& plan, std::int64_t micro_batches, std::int64_t stage);

}  // namespace cubicbench::sim
