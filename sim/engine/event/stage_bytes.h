#pragma once

#include <array>
#include <cstddef>

#include "sim/base/units.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// Live tensors of the ranks of one stage, by moment of the step, and how many passes over chunks
/// have theirs kept at once when they are as many.
struct StageBytes {
  std::array<Bytes, moment_count> alive{};
  Bytes kept;              ///< of `alive` in passes: activations of the passes in flight
  double in_flight = 1.0;  ///< passes that `kept` is of

  /// While `passes` are in flight.
  Bytes at_moment(Moment moment, double passes) const {
    const bool in_pass = (in_passes & at(moment)) != 0;
    const Bytes all = alive[static_cast<std::size_t>(moment)];
    return in_pass && passes != in_flight ? all - (1.0 - passes / in_flight) * kept : all;
  }
};

/// Of one holder's allocations. `in_flight` counts the passes that its activations are of; 0 where
/// they do not grow with them.
inline StageBytes stage_bytes(std::span<const Allocation> allocations, double in_flight) {
  StageBytes bytes;
  for (std::size_t i = 0; i < bytes.alive.size(); ++i) {
    bytes.alive[i] = alive_at(allocations, static_cast<Moment>(i));
  }
  for (const Allocation& allocation : allocations) {
    const bool grows = allocation.part == MemoryPart::activations && allocation.alive == in_passes;
    if (grows && in_flight > 0.0) bytes.kept += allocation.bytes;
  }
  bytes.in_flight = in_flight > 0.0 ? in_flight : 1.0;
  return bytes;
}

}  // namespace cubicbench::sim
