#include "results/simulation/trace_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "results/simulation/span_rows.h"
#include "sim/base/check.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using sim::MemorySample;
using sim::SimTime;
using sim::Span;
using sim::Track;

constexpr std::array<std::string_view, sim::track_count> track_names{
    "passes",       "host launches",   "compute",
    "tensor group", "context group",   "weights and gradients",
    "pipeline",     "embedding ranks", "next batch",
    "experts"};

/// Nanoseconds, half up: what is earlier or equal stays so.
std::int64_t nanoseconds(SimTime time) { return (time.count() + 500) / 1000; }

/// Microseconds with three decimals, from an integer: no rounding.
std::string microseconds(std::int64_t ns) {
  const std::string digits = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

std::string json_string(std::string_view text) { return nlohmann::json(text).dump(); }

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
  const std::string name(track_names[static_cast<std::size_t>(row.track)]);
  return row.lane == 0 ? name : name + " " + std::to_string(row.lane + 1);
}

std::string metadata(std::string_view name, const std::string& at, const std::string& args) {
  return R"({"ph":"M","name":)" + json_string(name) + "," + at + R"(,"args":{)" + args + "}}";
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
  return R"({"ph":"X","name":)" + json_string(shown_name(span)) + "," + place(row) + R"(,"ts":)" +
         microseconds(begin) + R"(,"dur":)" + microseconds(nanoseconds(span.end) - begin) +
         R"(,"args":{)" + arguments(span) + "}}";
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

/// Builds the list of events.
class Writer {
 public:
  explicit Writer(const sim::SpanLog& log) : log_(log) {}

  void add_ranks(std::span<const std::string> names) {
    for (std::size_t i = 0; i < log_.ranks.size(); ++i) {
      const std::string at = place(log_.ranks[i]);
      add(metadata("process_name", at, R"("name":)" + json_string(names[i])));
      add(metadata("process_sort_index", at, R"("sort_index":)" + std::to_string(i)));
    }
  }

  /// Rows with their spans, each followed by the ends of its arrows: they belong to the span that
  /// is open when a viewer comes to them.
  void add_spans() {
    const std::vector<SpanRow> rows = span_rows(log_.spans);
    const std::vector<std::vector<ArrowEnd>> ends = arrow_ends(log_.spans);
    for (const SpanRow& row : rows) {
      add_row_name(row);
      for (const std::size_t i : row.spans) {
        const Span& span = log_.spans[i];
        SIM_ASSERT(span.end >= span.begin, span.rank, span.end.count(), span.begin.count());
        add(complete_event(span, row));
        for (const ArrowEnd& end : ends[i]) add(flow_event(end, row));
      }
    }
  }

  void add_memory() {
    std::vector<MemorySample> samples = log_.memory;
    std::ranges::stable_sort(samples, [](const MemorySample& a, const MemorySample& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.at < b.at;
    });
    for (const MemorySample& sample : samples) add(counter_event(sample));
  }

  std::string text() const {
    const nlohmann::ordered_json head = support::new_document("trace");
    return "{\n  \"schema\": " + head["schema"].dump() +
           ",\n  \"version\": " + head["version"].dump() +
           ",\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [" + events_ + "\n  ]\n}\n";
  }

 private:
  void add_row_name(const SpanRow& row) {
    const std::string at = place(row);
    const int sort = 100 * static_cast<int>(row.track) + row.lane;
    add(metadata("thread_name", at, R"("name":)" + json_string(row_name(row))));
    add(metadata("thread_sort_index", at, R"("sort_index":)" + std::to_string(sort)));
  }

  void add(const std::string& event) {
    events_ += (events_.empty() ? "\n    " : ",\n    ") + event;
  }

  const sim::SpanLog& log_;
  std::string events_;
};

}  // namespace

std::string trace_json(const sim::SpanLog& log, std::span<const std::string> rank_names) {
  SIM_ASSERT(rank_names.size() == log.ranks.size(), rank_names.size(), log.ranks.size());
  Writer writer(log);
  writer.add_ranks(rank_names);
  writer.add_spans();
  writer.add_memory();
  return writer.text();
}

}  // namespace cubicbench::results
