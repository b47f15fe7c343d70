#include "datasets/logs/busy_time.h"

#include <algorithm>

namespace cubicbench::datasets {

double busy_time(std::vector<Span> spans, Span window) {
  std::ranges::sort(spans, {}, &Span::start);
  double busy = 0.0;
  double covered = window.start;  // everything before is counted
  for (const Span& span : spans) {
    const double start = std::max(span.start, covered);
    const double end = std::min(span.end, window.end);
    if (end <= start) continue;
    busy += end - start;
    covered = end;
  }
  return busy;
}

}  // namespace cubicbench::datasets
