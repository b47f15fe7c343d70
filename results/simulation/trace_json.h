#pragma once

#include <span>
#include <string>

#include "sim/engine/event/span_log.h"

namespace cubicbench::results {

/// What chosen ranks did, in the JSON that Perfetto and chrome://tracing open: a process a rank, a
/// row a track (span_rows.h), live tensors as a counter, an arrow from whoever sends a message to
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
