#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The parts of a step as finely as they are explained: a StepPart, or one of the things that a
/// part consists of.
enum class StepItem : std::uint8_t {
  gemm,
  attention,
  memory_bound,
  head_and_loss,
  recompute,
  host,
  tensor_communication,
  context_communication,
  pipeline_communication,
  weight_gathers,       ///< of data_communication
  gradient_reductions,  ///< of data_communication
  pipeline_bubble,
  optimizer,
  allocator_retries,
  stragglers,
  row_lookup,             ///< of embedding_lookup, forward
  row_update,             ///< of embedding_lookup, backward
  row_exchange,           ///< of embedding_communication: pooled rows to the ranks of their samples
  row_gradient_exchange,  ///< of embedding_communication: their gradients back
  copy_averages,          ///< of embedding_communication: copies of tables made equal, in 2D plans
  input,
  embedding_host,
  embedding_fixed,
  expert_communication,
  expert_storage,
};
inline constexpr std::size_t step_item_count = 25;

/// By StepItem.
using StepItems = std::array<Seconds, step_item_count>;

/// The part of the step that the term belongs to.
StepPart part_of(StepItem term);

/// Of a part that is not divided, its term.
StepItem item_of(StepPart part);

}  // namespace cubicbench::sim
