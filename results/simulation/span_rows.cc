#include "results/simulation/span_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cubicbench::results {
namespace {

using sim::Span;

/// Spans by rank and track, then by when they begin, and what is around others before them.
std::vector<std::size_t> drawing_order(std::span<const Span> spans) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const Span& left = spans[a];
    const Span& right = spans[b];
    if (left.rank != right.rank) return left.rank < right.rank;
    if (left.track != right.track) return left.track < right.track;
    if (left.begin != right.begin) return left.begin < right.begin;
    if (left.end != right.end) return left.end > right.end;
    return a > b;  // of equals the one around the other ended later
  });
  return order;
}

/// A row that is being filled.
struct OpenRow {
  SpanRow row;
  std::vector<const Span*> open;  ///< what the next span may lie in, outermost first

  bool takes(const Span& span) {
    while (!open.empty() && open.back()->end <= span.begin) open.pop_back();
    if (open.empty()) return true;
    const bool has_message = span.message != 0 || open.back()->message != 0;
    return span.end <= open.back()->end && !has_message;
  }
};

}  // namespace

std::vector<SpanRow> span_rows(std::span<const Span> spans) {
  std::vector<OpenRow> rows;
  std::size_t first = 0;  // lane 0 of the rank and track that is being filled
  for (const std::size_t i : drawing_order(spans)) {
    const Span& span = spans[i];
    const bool is_new =
        rows.empty() || rows[first].row.rank != span.rank || rows[first].row.track != span.track;
    if (is_new) first = rows.size();
    std::size_t lane = first;
    while (lane < rows.size() && !rows[lane].takes(span)) ++lane;
    if (lane == rows.size()) {
      rows.push_back({.row = {.rank = span.rank,
                              .track = span.track,
                              .lane = static_cast<int>(lane - first),
                              .spans = {}},
                      .open = {}});
    }
    rows[lane].row.spans.push_back(i);
    rows[lane].open.push_back(&span);
  }
  std::vector<SpanRow> filled;
  for (OpenRow& row : rows) filled.push_back(std::move(row.row));
  return filled;
}

}  // namespace cubicbench::results
