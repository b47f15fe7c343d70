#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/event/event_queue.h"
#include "sim/engine/event/rank_state.h"

namespace cubicbench::sim {

/// The devices of all ranks, whose compute and communication slow each other: while both run, each
/// has 1 / (1 + x) of its speed [docs/models.md, Eq. D-1].
///
/// A block or a collective has a time of its own that others know of, so that it is not stretched
/// while it runs: it owes, at its end, what it lost to the other, and pays that back before its
/// rank goes on.
class SharedDevice {
 public:
  /// `overlap_cost` is x.
  SharedDevice(double overlap_cost, std::vector<RankState>& ranks, EventQueue& queue)
      : x_(overlap_cost), ranks_(ranks), queue_(queue) {}

  /// Brings what a rank's compute and streams owe up to `now`.
  void account(std::uint32_t rank, SimTime now);
  void set_computes(std::uint32_t rank, bool computes, SimTime now);
  void set_moves(std::uint32_t rank, std::size_t stream, bool moves, SimTime now);
  /// Its own time is over: from here on it pays.
  void owe(SharedWork& work) const;
  /// Says anew when a rank and its streams will have paid.
  void schedule_debts(std::uint32_t rank, SimTime now);

 private:
  double x_;
  std::vector<RankState>& ranks_;
  EventQueue& queue_;
};

}  // namespace cubicbench::sim
