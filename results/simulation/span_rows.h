#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/event/span_log.h"

namespace cubicbench::results {

/// One line of a drawn timeline: spans that follow on one another or lie inside one another.
struct SpanRow {
  std::int64_t rank = 0;
  sim::Track track = sim::Track::compute;
  int lane = 0;                    ///< 0, 1, ... of the same rank and track
  std::vector<std::size_t> spans;  ///< indices, by when they begin; what is around others first
};

/// The spans in as few rows as they go into one after the other, by rank, track and lane. What
/// would cross another span of its track goes into the next lane, and messages, whose arrows belong
/// to them alone, lie neither in nor around anything.
std::vector<SpanRow> span_rows(std::span<const sim::Span> spans);

}  // namespace cubicbench::results
