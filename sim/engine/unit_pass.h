#pragma once

#include "sim/base/units.h"
#include "sim/program/weight_schedule.h"

namespace cubicbench::sim {

/// What one unit computes and moves in a backward pass.
struct Unit {
  Seconds compute;
  Seconds gather;
  Seconds scatter;
  Seconds copy;

  bool operator==(const Unit&) const = default;
};

/// A backward pass over a chunk of u units. It begins with the last one, which may be smaller.
struct UnitPass {
  double units = 1.0;
  Unit unit;
  Unit last;
  Seconds head{};         ///< computed before the first unit
  Seconds end_scatter{};  ///< of weights outside the layers, beside the unit that is computed last
  Seconds end_copy{};
  Seconds tail{};  ///< computed after the last unit

  bool operator==(const UnitPass&) const = default;
};

/// What traffic adds to the pass itself, and what goes on when it is over.
struct PassCost {
  Seconds pass;
  Seconds scattering{};  ///< of what goes on, reductions inside the sharding group
  Seconds behind{};
};

/// Most units of a pass that played_pass() takes.
inline constexpr double unit_queue_max = 100.0;

/// A backward pass that reduces, where copies of the shards are reduced on a stream of their own
/// [docs/models.md, Eq. D-4]: compute and both streams from one end of an operation to the next.
/// While compute and a stream both run, each has 1 / (1 + x) of its speed. The closed form for one
/// stream has no like for two, which overlap each other as well. Takes time proportional to the
/// units, and allocates nothing. Requires at most unit_queue_max of them.
PassCost played_pass(const UnitPass& pass, const UnitOrder& order, double x);

}  // namespace cubicbench::sim
