#pragma once

#include <vector>

namespace cubicbench::datasets {

/// From when to when something ran, in seconds.
struct Span {
  double start = 0.0;
  double end = 0.0;
};

/// How long of `window` at least one of the spans ran: the length of their union inside it.
double busy_time(std::vector<Span> spans, Span window);

}  // namespace cubicbench::datasets
