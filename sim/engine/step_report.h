#pragma once

#include <array>

#include "sim/base/units.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/validity.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

enum class StepStatus { ok, oom_init, oom_late, invalid };

/// The answer to one configuration. `step` and `parts` are meaningful only when `status` is ok;
/// `memory` unless it is invalid.
struct StepReport {
  StepStatus status = StepStatus::ok;
  Violation violation;  ///< when invalid
  Seconds step;
  std::array<Seconds, step_part_count> parts{};
  double micro_batches = 0.0;  ///< a data-parallel rank and step
  MemoryReport memory;
};

/// Whether what a rank needs fits, and if not, when that shows.
inline StepStatus status_of(const MemoryReport& memory) {
  if (memory.demand_at_start > memory.capacity) return StepStatus::oom_init;
  return memory.demand > memory.capacity ? StepStatus::oom_late : StepStatus::ok;
}

/// What is kept of a step where many are asked for: the status and step of its StepReport.
/// `step` is meaningful only when `status` is ok.
struct StepVerdict {
  StepStatus status = StepStatus::ok;
  Seconds step{};

  bool operator==(const StepVerdict&) const = default;
};

}  // namespace cubicbench::sim
