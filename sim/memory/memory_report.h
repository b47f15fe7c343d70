#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The memory of the stage that needs most, at the moment of the step at which it peaks.
struct MemoryReport {
  std::array<Bytes, memory_part_count> parts{};  ///< whole bytes; they sum to `allocated`
  Bytes allocated;                               ///< live tensors
  Bytes demand;           ///< what must fit: live tensors and what the allocator loses beside them
  Bytes demand_at_start;  ///< the same before the first step, of the stage that needs most then
  Bytes reserved;         ///< what the allocator holds after some steps, its cache included
  Bytes capacity;         ///< what the allocator can get: the device less context and NCCL
  std::int64_t stage = 0;
  Moment moment = Moment::forward;

  bool operator==(const MemoryReport&) const = default;
};

}  // namespace cubicbench::sim
