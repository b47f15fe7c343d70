#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/engine/event/span_log.h"

namespace cubicbench::results {

/// One line of a drawn timeline: spans that follow on one another or lie inside one another.
struct SpanRow {
  std::int64_t rank = 0;
  sim::Track track = sim::Track::compute;
  int lane = 0;                      ///< 0, 1, ... of the same rank and track
  std::vector<std::size_t> spans{};  ///< indices, by when they begin; what is around others first
};

/// The spans in as few rows as they go into one after the other, by rank, track and lane. What
/// would cross another span of its track goes into the next lane, and messages, whose arrows belong
/// to them alone, lie neither in nor around anything.
std::vector<SpanRow> span_rows(std::span<const sim::Span> spans);

/// What chosen ranks did, in the JSON that Perfetto and chrome://tracing open: a process a rank, a
/// row a track (span_rows()), live tensors as a counter, an arrow from whoever sends a message to
/// whoever receives it. `rank_names` are of `log.ranks`, in order.
///
/// Times are microseconds with three decimals, the exact ones to the nearest nanosecond: viewers
/// count in whole nanoseconds, and drop a span that seems to end after the one around it.
///
/// Requires spans of `log.ranks` alone that do not end before they begin. Those of a track that
/// cross have a row of their own. The sender of a message is the span whose name begins with
/// "send", else the one that ended first; whoever is not in the log has no arrow.
std::string trace_json(const sim::SpanLog& log, std::span<const std::string> rank_names);

}  // namespace cubicbench::results
