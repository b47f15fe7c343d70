#include "sim/network/torus.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

std::int64_t ceil_of(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

constexpr std::int64_t ring_min = 3;  // an axis of two has one link a chip

void add(const TorusLine& line, TorusSpan& span) {
  const std::int64_t m = line.members;
  const double gap = real(line.gap);
  const double ways = line.closed ? 2.0 : 1.0;
  span.links += ways / gap;
  span.hops += gap * real(line.closed ? m / 2 : m - 1);
  span.exchange = std::max(span.exchange, gap * real(m * m / 4) / (ways * real(m)));
}

}  // namespace

TorusLines torus_lines(const std::array<int, torus_axes_max>& axes, bool wraps, std::int64_t ranks,
                       std::int64_t apart) {
  TorusLines lines;
  std::int64_t stride = 1;
  for (const int axis : axes) {
    const std::int64_t length = std::max(axis, 1);
    if (ranks <= 1) break;
    if (apart >= length) {
      apart = ceil_of(apart, length);
    } else {
      const std::int64_t members = std::min(ranks, length / apart);
      const bool closed = wraps && length >= ring_min && members * apart == length;
      if (members > 1) lines.line[lines.count++] = {stride, length, members, apart, closed};
      ranks = ceil_of(ranks, members);
      apart = 1;
    }
    stride *= length;
  }
  return lines;
}

TorusSpan torus_span(std::int64_t ranks, std::int64_t stride, const Network& network) {
  const TorusLines lines = torus_lines(network.torus, network.torus_wraps, ranks, stride);
  TorusSpan span;
  for (const TorusLine& line : lines.all()) add(line, span);
  if (lines.count == 0) {
    span.links = 1.0;
    return span;
  }
  const TorusLine& first = lines.line[0];
  const bool round = network.torus_wraps && first.length >= ring_min;
  span.shift = real(round ? std::min(first.gap, first.length - first.gap) : first.gap);
  return span;
}

}  // namespace cubicbench::sim
