#pragma once

#include <algorithm>
#include <limits>

namespace cubicbench::sim {

/// The number of bytes by which a room may differ from the one that decisions were made in without
/// changing any of them, up to rounding.
struct RoomSlack {
  double less = std::numeric_limits<double>::infinity();
  double more = std::numeric_limits<double>::infinity();

  /// Whether so many bytes fit, a decision.
  bool fits(double bytes, double room) {
    if (bytes <= room) {
      less = std::min(less, room - bytes);
      return true;
    }
    more = std::min(more, bytes - room);
    return false;
  }

  /// A decision that any other room might change.
  void depends_on_all() { less = more = 0.0; }
};

}  // namespace cubicbench::sim
