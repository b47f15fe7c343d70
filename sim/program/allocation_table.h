#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The moments at which an allocation is alive: a bit each.
using Moments = std::uint8_t;

constexpr Moments at(Moment moment) {
  return static_cast<Moments>(1u << static_cast<unsigned>(moment));
}
inline constexpr Moments always = 0b1111111;
inline constexpr Moments after_startup = 0b1111110;
inline constexpr Moments in_passes = at(Moment::forward) | at(Moment::loss) | at(Moment::backward);

/// cuBLAS takes two 32 MiB workspaces.
inline constexpr Bytes matmul_workspace = 64_MiB;

/// One allocation: how much, as what, and at which moments of the step it is alive.
struct Allocation {
  MemoryPart part = MemoryPart::parameters;
  Bytes bytes{};
  Moments alive = 0;
};

constexpr bool is_alive(const Allocation& allocation, Moment moment) {
  return (allocation.alive & at(moment)) != 0;
}

constexpr Bytes alive_at(std::span<const Allocation> allocations, Moment moment) {
  Bytes sum;
  for (const Allocation& allocation : allocations) {
    if (is_alive(allocation, moment)) sum += allocation.bytes;
  }
  return sum;
}

/// Whole bytes, rounded up. No device holds 512 TiB: more is as good as this much, and all sums
/// stay exact whole numbers.
inline Bytes allocated_bytes(double bytes) {
  constexpr double bytes_max = 0x1p49;
  return Bytes{std::min(std::ceil(bytes), bytes_max)};
}

/// Pipeline stages or ranks that allocate alike.
struct Holder {
  std::int64_t first = 0;  ///< the stage or rank that stands for them
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// What each kind of rank allocates over a step.
class AllocationTable {
 public:
  void clear() {
    allocations_.clear();
    holders_.clear();
  }

  /// Later additions belong to a new holder.
  void begin_holder(std::int64_t first) {
    const auto here = static_cast<std::uint32_t>(allocations_.size());
    holders_.push_back({first, here, here});
  }

  /// As much as is allocated for `bytes`, if anything. Requires a holder.
  void add(MemoryPart part, double bytes, Moments alive) {
    if (bytes > 0.0) {
      allocations_.push_back({part, allocated_bytes(bytes), alive});
      ++holders_.back().end;
    }
  }

  /// Requires a holder, and allocations of another table.
  void append(std::span<const Allocation> allocations) {
    allocations_.insert(allocations_.end(), allocations.begin(), allocations.end());
    holders_.back().end += static_cast<std::uint32_t>(allocations.size());
  }

  std::span<const Holder> holders() const { return holders_; }
  std::span<const Allocation> of(const Holder& holder) const {
    return std::span(allocations_).subspan(holder.begin, holder.end - holder.begin);
  }

 private:
  std::vector<Allocation> allocations_;
  std::vector<Holder> holders_;
};

}  // namespace cubicbench::sim
