#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// What happens to the weights of a unit and to their gradients.
enum class WeightAction : std::uint8_t {
  nothing,
  gather,       ///< the all-gather is issued
  await,        ///< the pass waits for it
  free,         ///< the gathered weights
  reduce,       ///< the reduction of the gradients is issued
  reduce_ends,  ///< that of weights outside the layers is, beside the last unit of a pass
};

struct WeightEvent {
  WeightAction action = WeightAction::nothing;
  std::int8_t ahead = 0;  ///< a gather is that of the unit so many places later in the pass
  bool waits = false;     ///< the pass waits until the reduction is over
};

/// In the order of issue.
using WeightEvents = std::array<WeightEvent, 4>;

constexpr int units_ahead(const WeightEvents& events) {
  return std::ranges::max(events, {}, &WeightEvent::ahead).ahead;
}
constexpr bool has(const WeightEvents& events, WeightAction action) {
  return std::ranges::count(events, action, &WeightEvent::action) > 0;
}

/// What a pass does before it computes a unit, and behind that.
struct UnitOrder {
  WeightEvents before{};
  WeightEvents behind{};

  constexpr bool gathers() const {
    return has(before, WeightAction::gather) || has(behind, WeightAction::gather);
  }
  /// Else a unit computes when its gather is over, and nothing is gathered beside it.
  constexpr bool gathers_under_compute() const { return units_ahead(before) > 0; }
  constexpr bool frees() const { return has(behind, WeightAction::free); }
  constexpr bool reduces() const { return has(behind, WeightAction::reduce); }
  constexpr bool waits_for_reductions() const {
    return std::ranges::count(behind, true, &WeightEvent::waits) > 0;
  }
};

/// Whether `event` happens at `place` of a pass over `units` units; places count in the order of
/// compute. Place -1 is what is computed before the first unit: gathers ahead of their unit begin
/// there. In a forward pass, the place behind the last unit is that of the weights outside the
/// layers.
constexpr bool happens(const WeightEvent& event, std::int64_t place, std::int64_t units) {
  if (event.action == WeightAction::gather) return units > 0 && place + event.ahead >= 0;
  return place >= 0 && (event.action != WeightAction::reduce_ends || place + 1 == units);
}

/// When a stage waits for the reductions of its gradients.
enum class ReductionsAwaited : std::uint8_t {
  in_each_pass,      ///< before a backward pass returns its gradients
  behind_each_pass,  ///< after it has returned them
  in_each_step,      ///< at its end: only the last micro-batch reduces
};

/// When weights are gathered and gradients reduced in a step [docs/models.md, section D], in the
/// order in which the device gets there; its host runs ahead. Without FSDP, units are buckets.
struct WeightSchedule {
  WeightEvents step{};           ///< as it begins, for each unit in turn
  UnitOrder forward{};           ///< only the first micro-batch awaits what `step` gathers
  UnitOrder backward{};          ///< recomputation included
  UnitOrder weight_gradients{};  ///< where they are passes of their own
  ReductionsAwaited awaited = ReductionsAwaited::in_each_step;
  // Gathered units in memory beside the one in use, which is not the same question:
  std::int8_t held_forward = 0;   ///< gathered ahead in a forward pass
  std::int8_t held_backward = 0;  ///< and in a backward pass
  std::int8_t freed_late = 0;     ///< freed by the host before the device is done with them

  constexpr bool gathers_once() const { return has(step, WeightAction::gather); }
  constexpr bool reduces_each_micro_batch() const {
    return awaited != ReductionsAwaited::in_each_step;
  }
};

/// Whether weights are freed after the forward pass and gathered again for the backward pass.
constexpr bool gathers_twice(Sharding sharding, const Plan& plan) {
  return traits(sharding).reshards && plan.reshard_after_forward != 0;
}

WeightSchedule weight_schedule(Sharding sharding, const Plan& plan);

}  // namespace cubicbench::sim
