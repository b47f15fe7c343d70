#pragma once

#include <array>
#include <cstddef>

#include "sim/base/units.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// At each moment of a step.
using BytesByMoment = std::array<Bytes, moment_count>;

/// Blocks of many sizes that are taken and given back in every pass.
constexpr bool comes_and_goes(MemoryPart part) {
  return part == MemoryPart::activations || part == MemoryPart::logits ||
         part == MemoryPart::unsharded_units || part == MemoryPart::embedding_activations;
}

/// 1 at the moments at which something is alive, 0 at others.
using MomentShares = std::array<double, moment_count>;

inline constexpr std::array<MomentShares, std::size_t{1} << moment_count> moment_shares = [] {
  std::array<MomentShares, std::size_t{1} << moment_count> shares{};
  for (std::size_t alive = 0; alive < shares.size(); ++alive) {
    for (std::size_t i = 0; i < moment_count; ++i) shares[alive][i] = (alive >> i) % 2 == 1 ? 1 : 0;
  }
  return shares;
}();

/// What is alive of a rank at each moment, by how it is lost: whole bytes, so that sums of parts of
/// its allocations add up to that of all, whatever their order.
struct AliveBytes {
  BytesByMoment state{};
  BytesByMoment passing{};  ///< activations, logits, gathered weights

  void add(const Allocation& one) {
    BytesByMoment& sums = sums_of(one.part);
    const MomentShares& shares = moment_shares[one.alive];
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += shares[i] * one.bytes;
  }

  /// Takes what AllocationTable::add() takes, without keeping a list. Callers pass constant
  /// moments, so the compiler removes the test of each.
  void add(MemoryPart part, double bytes, Moments alive) {
    if (!(bytes > 0.0)) return;
    const Bytes whole = allocated_bytes(bytes);
    BytesByMoment& sums = sums_of(part);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if ((alive >> i) % 2 == 1) sums[i] += whole;
    }
  }

 private:
  BytesByMoment& sums_of(MemoryPart part) { return comes_and_goes(part) ? passing : state; }
};

}  // namespace cubicbench::sim
