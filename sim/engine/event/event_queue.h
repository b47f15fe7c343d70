#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/check.h"
#include "sim/engine/event/sim_time.h"

namespace cubicbench::sim {

enum class EventKind : std::uint32_t {
  rank_ready,    ///< a rank's kernels, launches or pause are over
  stream_ready,  ///< what a rank's stream owed to its compute is paid; subject: rank * streams + s
  transfer_moves,  ///< a communicator's start-up is over
  transfer_done,   ///< its bytes are there
  rank_fails,
};

/// Something that will happen: small, sorted by time and, at one time, by when it was scheduled.
struct Event {
  SimTime at{};
  std::uint64_t order = 0;
  EventKind kind = EventKind::rank_ready;
  std::uint32_t subject = 0;  ///< row of the table that `kind` refers to
};

/// Events to come, in a binary heap.
class EventQueue {
 public:
  void reserve(std::size_t events) { heap_.reserve(events); }
  bool empty() const { return heap_.empty(); }
  SimTime next_time() const { return heap_.front().at; }

  /// Returns the event's number: what is scheduled anew is known by the old one's.
  std::uint64_t schedule(SimTime at, EventKind kind, std::uint32_t subject) {
    SIM_ASSERT(at >= SimTime{} && at < clock_end, at.count());
    heap_.push_back({at, ++scheduled_, kind, subject});
    std::push_heap(heap_.begin(), heap_.end(), later);
    return scheduled_;
  }

  Event pop() {
    SIM_ASSERT(!heap_.empty(), scheduled_);
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Event event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  static bool later(const Event& a, const Event& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }

  std::vector<Event> heap_;
  std::uint64_t scheduled_ = 0;
};

}  // namespace cubicbench::sim
