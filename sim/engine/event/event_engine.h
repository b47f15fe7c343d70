#pragma once

#include <cstdint>
#include <optional>

#include "sim/engine/event/conditions.h"
#include "sim/engine/event/rank_temper.h"
#include "sim/engine/event/span_log.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/workspace.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

struct EventOptions {
  /// Transfers share links max-min fairly, and none is faster than alone; else each runs at the
  /// rate of its analytical cost.
  bool contention = true;
  bool fold = true;  ///< ranks that are provably alike are played once
  std::optional<LateRanks> late;
  Conditions conditions;
  SpanLog* spans = nullptr;  ///< filled when given
};

/// How much was played.
struct EventCounts {
  std::uint64_t events = 0;
  std::uint64_t ranks = 0;  ///< after folding
  std::uint64_t flows = 0;  ///< members of all collectives that ran, and messages

  bool operator==(const EventCounts&) const = default;
};

/// Why a step did not end: ranks failed, and others may wait for them.
struct Stall {
  std::int64_t failed = 0;       ///< ranks
  std::int64_t failed_rank = 0;  ///< the one that failed first
  std::int64_t waiting = 0;      ///< ranks that never finish

  explicit operator bool() const { return failed > 0; }
};

struct EventReport {
  StepReport step;  ///< time and parts of the slowest rank; memory as evaluate() says
  EventCounts counts;
  /// Live tensors of the stage that needs most, at its peak, as passes came and went.
  Bytes peak;
  Stall stall;  ///< if any, `step` has no time
};

/// One training step, played event by event (docs/event-engine.md): ranks with compute and
/// communication streams, launches, memory, and transfers over the links of the topology. Lowers to
/// the same program as evaluate(), asks it whether the step fits and what lateness is relative to,
/// takes the costs of single kernels and collectives, and shares no code that puts them together.
/// Pure: equal arguments, equal bits.
EventReport play(const Workload& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, const EventOptions& options, Workspace& workspace);

}  // namespace cubicbench::sim
