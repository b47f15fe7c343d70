#include "results/simulation/trace_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "results/simulation/part_names.h"
#include "sim/base/check.h"
#include "support/joined.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using sim::MemorySample;
using sim::SimTime;
using sim::Span;
using sim::Track;
using Events = std::vector<std::string>;

/// Spans by rank and track, then by when they begin, and what is around others before them.
std::vector<std::size_t> drawing_order(std::span<const Span> spans) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});  // the outer of equals ended later
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const Span& span = spans[i];
    return std::tuple(span.rank, span.track, span.begin, -span.end);
  });
  return order;
}

/// A row that is being filled.
struct OpenRow {
  SpanRow row;
  std::vector<const Span*> open{};  ///< what the next span may lie in, outermost first

  bool takes(const Span& span) {
    while (!open.empty() && open.back()->end <= span.begin) open.pop_back();
    if (open.empty()) return true;
    const bool has_message = span.message != 0 || open.back()->message != 0;
    return span.end <= open.back()->end && !has_message;
  }
};

/// Nanoseconds, half up: what is earlier or equal stays so.
std::int64_t nanoseconds(SimTime time) { return (time.count() + 500) / 1000; }

/// Microseconds with three decimals, from an integer: no rounding.
std::string microseconds(std::int64_t ns) {
  const std::string digits = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

/// Where an event stands. No two rows of a trace share a thread's number: viewers look threads up
/// by it alone.
std::string place(std::int64_t rank, Track track, int lane) {
  SIM_ASSERT(lane < 100, rank, lane);
  return R"("pid":)" + std::to_string(rank) + R"(,"tid":)" +
         std::to_string(1000 * rank + 100 * static_cast<std::int64_t>(track) + lane + 1);
}
std::string place(const SpanRow& row) { return place(row.rank, row.track, row.lane); }

/// Of what belongs to the rank as a whole.
std::string place(std::int64_t rank) { return place(rank, Track::schedule, 0); }

/// "pipeline", and "pipeline 2" of what crosses there.
std::string row_name(const SpanRow& row) {
  const std::string name(label_of(row.track));
  return row.lane == 0 ? name : name + " " + std::to_string(row.lane + 1);
}

std::string metadata(std::string_view name, const std::string& at, const std::string& args) {
  return R"({"ph":"M","name":)" + support::json_string(name) + "," + at + R"(,"args":{)" + args +
         "}}";
}

/// "forward 3" of passes, so that a pipeline can be read off; viewers colour it as "forward".
std::string shown_name(const Span& span) {
  const std::string name = span.name;
  const bool is_pass = span.track == Track::schedule && span.micro_batch >= 0;
  return is_pass ? name + " " + std::to_string(span.micro_batch) : name;
}

std::string arguments(const Span& span) {
  std::string text;
  const auto add = [&](const char* name, std::int64_t value) {
    text += (text.empty() ? "\"" : ",\"") + std::string(name) + "\":" + std::to_string(value);
  };
  if (span.micro_batch >= 0) add("micro_batch", span.micro_batch);
  if (span.layer >= 0) add("layer", span.layer);
  if (span.bytes.value > 0.0) add("bytes", static_cast<std::int64_t>(span.bytes.value));
  return text;
}

std::string complete_event(const Span& span, const SpanRow& row) {
  const std::int64_t begin = nanoseconds(span.begin);
  return R"({"ph":"X","name":)" + support::json_string(shown_name(span)) + "," + place(row) +
         R"(,"ts":)" + microseconds(begin) + R"(,"dur":)" +
         microseconds(nanoseconds(span.end) - begin) + R"(,"args":{)" + arguments(span) + "}}";
}

std::string counter_event(const MemorySample& sample) {
  return R"({"ph":"C","name":"live tensors",)" + place(sample.rank) + R"(,"ts":)" +
         microseconds(nanoseconds(sample.at)) + R"(,"args":{"bytes":)" +
         std::to_string(static_cast<std::int64_t>(sample.bytes.value)) + "}}";
}

/// Where an arrow leaves a span or comes to it.
struct ArrowEnd {
  std::size_t arrow = 0;
  bool leaves = false;
  SimTime at{};
};

std::string flow_event(const ArrowEnd& end, const SpanRow& row) {
  const std::string phase = end.leaves ? R"("s")" : R"("f","bp":"e")";
  return R"({"ph":)" + phase + R"(,"name":"message","cat":"message","id":)" +
         std::to_string(end.arrow) + "," + place(row) + R"(,"ts":)" +
         microseconds(nanoseconds(end.at)) + "}";
}

/// Of all spans that share a number, the one that sends.
std::size_t sender_of(const std::vector<Span>& spans, const std::vector<std::size_t>& sharing) {
  const auto sends = [&](std::size_t i) {
    return std::string_view(spans[i].name).starts_with("send");
  };
  const auto sender = std::ranges::find_if(sharing, sends);
  return sender == sharing.end() ? sharing.front() : *sender;
}

/// The ends at every span, of an arrow from the sender of each message to whoever else has its
/// number and ends after it was sent.
std::vector<std::vector<ArrowEnd>> arrow_ends(const std::vector<Span>& spans) {
  std::map<std::uint64_t, std::vector<std::size_t>> messages;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].message != 0) messages[spans[i].message].push_back(i);
  }
  std::vector<std::vector<ArrowEnd>> ends(spans.size());
  std::size_t arrows = 0;
  for (const auto& [message, sharing] : messages) {
    const std::size_t from = sender_of(spans, sharing);
    const SimTime sent = spans[from].begin;
    for (const std::size_t to : sharing) {
      if (to == from || spans[to].end < sent) continue;
      ++arrows;
      ends[from].push_back({.arrow = arrows, .leaves = true, .at = sent});
      ends[to].push_back({.arrow = arrows, .leaves = false, .at = std::max(sent, spans[to].begin)});
    }
  }
  return ends;
}

/// What viewers say of a rank, and in which order ranks stand.
void add_ranks(const sim::SpanLog& log, std::span<const std::string> names, Events& events) {
  for (std::size_t i = 0; i < log.ranks.size(); ++i) {
    const std::string at = place(log.ranks[i]);
    events.push_back(metadata("process_name", at, R"("name":)" + support::json_string(names[i])));
    events.push_back(metadata("process_sort_index", at, R"("sort_index":)" + std::to_string(i)));
  }
}

/// Rows with their spans, each followed by the ends of its arrows: they belong to the span that is
/// open when a viewer comes to them.
void add_spans(const sim::SpanLog& log, Events& events) {
  const std::vector<std::vector<ArrowEnd>> ends = arrow_ends(log.spans);
  for (const SpanRow& row : span_rows(log.spans)) {
    const std::string at = place(row);
    const int sort = 100 * static_cast<int>(row.track) + row.lane;
    events.push_back(
        metadata("thread_name", at, R"("name":)" + support::json_string(row_name(row))));
    events.push_back(metadata("thread_sort_index", at, R"("sort_index":)" + std::to_string(sort)));
    for (const std::size_t i : row.spans) {
      const Span& span = log.spans[i];
      SIM_ASSERT(span.end >= span.begin, span.rank, span.end.count(), span.begin.count());
      events.push_back(complete_event(span, row));
      for (const ArrowEnd& end : ends[i]) events.push_back(flow_event(end, row));
    }
  }
}

void add_memory(const sim::SpanLog& log, Events& events) {
  std::vector<MemorySample> samples = log.memory;
  std::ranges::stable_sort(
      samples, {}, [](const MemorySample& sample) { return std::tuple(sample.rank, sample.at); });
  for (const MemorySample& sample : samples) events.push_back(counter_event(sample));
}

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
      rows.push_back(
          {.row = {
               .rank = span.rank, .track = span.track, .lane = static_cast<int>(lane - first)}});
    }
    rows[lane].row.spans.push_back(i);
    rows[lane].open.push_back(&span);
  }
  std::vector<SpanRow> filled;
  for (OpenRow& row : rows) filled.push_back(std::move(row.row));
  return filled;
}

std::string trace_json(const sim::SpanLog& log, std::span<const std::string> rank_names) {
  SIM_ASSERT(rank_names.size() == log.ranks.size(), rank_names.size(), log.ranks.size());
  Events events;
  add_ranks(log, rank_names, events);
  add_spans(log, events);
  add_memory(log, events);
  const nlohmann::ordered_json head = support::new_document("trace");
  return "{\n  \"schema\": " + head["schema"].dump() +
         ",\n  \"version\": " + head["version"].dump() +
         ",\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [" +
         (events.empty() ? "" : "\n    ") + support::joined(events, ",\n    ") + "\n  ]\n}\n";
}

}  // namespace cubicbench::results
