#pragma once

namespace cubicbench::support {

/// Both ends included.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const Interval&) const = default;
};

}  // namespace cubicbench::support
