#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

/// Something that will happen.
struct Event {
  SimTime at{};
  std::uint64_t order = 0;  ///< its number: at one time, what was scheduled first comes first
  EventKind kind = EventKind::rank_ready;
  std::uint32_t subject = 0;  ///< row of the table that `kind` refers to
};

/// Events to come. Those of one moment wait in a line, in order, and a binary heap has the lines:
/// ranks that are alike do the same at the same time, so that there are far fewer of these.
class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  SimTime next_time() const { return heap_.front().at; }

  /// Returns the event's number: what is scheduled anew is known by the old one's.
  std::uint64_t schedule(SimTime at, EventKind kind, std::uint32_t subject) {
    SIM_ASSERT(at >= SimTime{} && at < clock_end, at.count());
    ++scheduled_;
    Latest& latest = latest_[place_of(at)];
    if (latest.at != at) latest = {at, new_line(at)};
    lines_[latest.line].events.push_back({scheduled_, kind, subject});
    return scheduled_;
  }

  Event pop() {
    SIM_ASSERT(!heap_.empty(), scheduled_);
    const Moment moment = heap_.front();
    Line& line = lines_[moment.line];
    const Waiting& first = line.events[line.gone++];
    const Event event{moment.at, first.order, first.kind, first.subject};
    if (line.gone == line.events.size()) remove(moment);
    return event;
  }

 private:
  struct Waiting {
    std::uint64_t order = 0;
    EventKind kind = EventKind::rank_ready;
    std::uint32_t subject = 0;
  };
  struct Line {
    std::vector<Waiting> events;
    std::size_t gone = 0;
  };
  struct Moment {
    SimTime at{};
    std::uint64_t order = 0;  ///< of its line's first event
    std::uint32_t line = 0;
  };
  /// The last line of a moment. Whoever looks for an older one makes another behind it.
  struct Latest {
    SimTime at = SimTime{-1};
    std::uint32_t line = 0;
  };

  static constexpr unsigned latest_bits = 8;

  static std::size_t place_of(SimTime at) {
    return (static_cast<std::uint64_t>(at.count()) * 0x9E3779B97F4A7C15U) >> (64 - latest_bits);
  }
  static bool later(const Moment& a, const Moment& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }

  std::uint32_t new_line(SimTime at) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(lines_.size()));
      lines_.emplace_back();
    }
    const std::uint32_t line = free_.back();
    free_.pop_back();
    heap_.push_back({at, scheduled_, line});
    std::push_heap(heap_.begin(), heap_.end(), later);
    return line;
  }

  /// The first moment, which is over.
  void remove(const Moment& moment) {
    lines_[moment.line].events.clear();
    lines_[moment.line].gone = 0;
    free_.push_back(moment.line);
    Latest& latest = latest_[place_of(moment.at)];
    if (latest.at == moment.at && latest.line == moment.line) latest = {};
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

  std::vector<Line> lines_;
  std::vector<std::uint32_t> free_;  ///< lines without events
  std::vector<Moment> heap_;
  std::array<Latest, std::size_t{1} << latest_bits> latest_{};
  std::uint64_t scheduled_ = 0;
};

}  // namespace cubicbench::sim
