#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/hardware/network.h"

namespace cubicbench::sim {

/// How a group lies along one axis of a torus.
struct TorusLine {
  std::int64_t stride = 1;   ///< of GPU numbers, from one place on the axis to the next
  std::int64_t length = 1;   ///< of the axis
  std::int64_t members = 1;  ///< on it
  std::int64_t gap = 1;      ///< links from one to the next
  bool closed = false;       ///< a ring: the ends are joined, and the members go all the way round
};

struct TorusLines {
  std::array<TorusLine, torus_axes_max> line{};
  std::size_t count = 0;

  std::span<const TorusLine> all() const { return {line.data(), count}; }
};

/// The lines of `ranks` members, `apart` ranks apart; both at least 1. Strides that do not divide
/// the axes are rounded to links.
TorusLines torus_lines(const std::array<int, torus_axes_max>& axes, bool wraps, std::int64_t ranks,
                       std::int64_t apart);

/// What a group has of the torus that it lies in.
///
/// Rank r stands at x + X (y + Y z): the first axis runs fastest. `ranks` members, `stride` ranks
/// apart, then lie along one axis or several, m_i of them on axis i and g_i links from one to the
/// next; g_i such groups share those links, since all of them run at once. An axis is a ring when
/// its ends are joined and the members go all the way round it, else a line.
struct TorusSpan {
  /// Links' worth of rate that a member has for gathers and reductions over all its axes at once:
  /// the sum of 2 / g_i of rings and 1 / g_i of lines. At the end of a line one link brings all.
  double links = 0.0;
  /// Links passed one after the other: the sum of g_i floor(m_i / 2) of rings, g_i (m_i - 1) of
  /// lines. One round; an all-reduce has two.
  double hops = 0.0;
  /// Bytes over the busiest link of an all-to-all, a byte of a rank's buffer: the largest of
  /// g_i floor(m_i^2 / 4) / m_i, half of that on rings.
  double exchange = 0.0;
  /// Messages a link carries when every member sends to the next: g of the first axis, the
  /// shorter way round.
  double shift = 1.0;
};

/// Requires ranks >= 1, stride >= 1.
TorusSpan torus_span(std::int64_t ranks, std::int64_t stride, const Network& network);

}  // namespace cubicbench::sim
