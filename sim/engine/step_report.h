#pragma once

#include <array>

#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/plan.h"
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

/// Time by part. A pass over one layer, a stage or a whole step is a sum of these.
struct StepCost {
  std::array<Seconds, step_part_count> parts{};

  Seconds& operator[](StepPart part) { return parts[static_cast<std::size_t>(part)]; }

  Seconds total() const {
    Seconds sum;
    for (const Seconds part : parts) sum += part;
    return sum;
  }

  void add(double times, const StepCost& other) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += times * other.parts[i];
  }
};

/// What a step runs on, and how.
struct StepContext {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

}  // namespace cubicbench::sim
