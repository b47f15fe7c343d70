#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/validity.h"

namespace cubicbench::sim {

/// Where the time of the slowest rank goes. The parts sum to the step time.
enum class StepPart {
  gemm,
  attention,
  memory_bound,
  head_and_loss,
  recompute,
  host,  ///< launching took longer than computing
  tensor_communication,
  context_communication,
  pipeline_communication,
  data_communication,
  pipeline_bubble,
  optimizer,
};
inline constexpr int step_part_count = 12;

/// What is alive at the peak of the stage that needs most.
enum class MemoryPart {
  parameters,
  gradients,
  optimizer_state,
  unsharded_units,
  activations,
  logits,
  communication_buffers,
  workspace,
};
inline constexpr int memory_part_count = 8;

/// The moment of the step at which memory peaks.
enum class Moment { startup, forward, loss, backward, optimizer_step };
inline constexpr int moment_count = 5;

struct MemoryReport {
  std::array<Bytes, memory_part_count> parts{};  ///< whole bytes; they sum to `allocated`
  Bytes allocated;
  Bytes reserved;   ///< with fragmentation, and what lies outside the allocator
  Bytes capacity;
  std::int64_t stage = 0;
  Moment moment = Moment::forward;
};

enum class StepStatus { ok, oom_init, oom_late, invalid };

/// The answer to one configuration. `step` and `parts` are meaningful only when `status` is ok;
/// `memory` unless it is invalid.
struct StepReport {
  StepStatus status = StepStatus::ok;
  Violation violation;  ///< when invalid
  Seconds step;
  std::array<Seconds, step_part_count> parts{};
  double micro_batches = 0.0;
  MemoryReport memory;
};

}  // namespace cubicbench::sim
