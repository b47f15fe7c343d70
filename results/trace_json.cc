#include "results/trace_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <vector>

#include "scenarios/json_document.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using sim::MemorySample;
using sim::SimTime;
using sim::Span;
using sim::Track;

constexpr std::array<std::string_view, sim::track_count> track_names{
    "passes",       "host launches",   "compute",
    "tensor group", "context group",   "weights and gradients",
    "pipeline",     "embedding ranks", "next batch"};

std::size_t row_of(Track track) { return static_cast<std::size_t>(track); }

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
std::string place(std::int64_t rank, std::size_t row) {
  static_assert(sim::track_count < 10);
  return R"("pid":)" + std::to_string(rank) + R"(,"tid":)" +
         std::to_string(10 * rank + static_cast<std::int64_t>(row) + 1);
}
std::string place(const Span& span) { return place(span.rank, row_of(span.track)); }

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

std::string complete_event(const Span& span) {
  const std::int64_t begin = nanoseconds(span.begin);
  return R"({"ph":"X","name":)" + json_string(shown_name(span)) + "," + place(span) + R"(,"ts":)" +
         microseconds(begin) + R"(,"dur":)" + microseconds(nanoseconds(span.end) - begin) +
         R"(,"args":{)" + arguments(span) + "}}";
}

std::string counter_event(const MemorySample& sample) {
  return R"({"ph":"C","name":"live tensors",)" + place(sample.rank, 0) + R"(,"ts":)" +
         microseconds(nanoseconds(sample.at)) + R"(,"args":{"bytes":)" +
         std::to_string(static_cast<std::int64_t>(sample.bytes.value)) + "}}";
}

std::string flow_event(const char* phase, std::size_t id, const Span& span, SimTime at) {
  return R"({"ph":")" + std::string(phase) + R"(","name":"message","cat":"message","id":)" +
         std::to_string(id) + "," + place(span) + R"(,"ts":)" + microseconds(nanoseconds(at)) + "}";
}

/// From span to span, as indices of the log.
struct Arrow {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// An arrow to each other span with the sender's message that ends after it was sent, by message.
std::vector<Arrow> arrows_of(const std::vector<Span>& spans) {
  std::map<std::uint64_t, std::vector<std::size_t>> messages;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].message != 0) messages[spans[i].message].push_back(i);
  }
  std::vector<Arrow> arrows;
  for (const auto& [message, ends] : messages) {
    const auto sends = [&](std::size_t i) {
      return std::string_view(spans[i].name).starts_with("send");
    };
    const auto sender = std::ranges::find_if(ends, sends);
    const std::size_t from = sender == ends.end() ? ends.front() : *sender;
    for (const std::size_t to : ends) {
      if (to != from && spans[to].end >= spans[from].begin) arrows.push_back({from, to});
    }
  }
  return arrows;
}

/// Spans by rank and row; in a row by when they begin, and what is around others before them.
std::vector<std::size_t> drawing_order(const std::vector<Span>& spans) {
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

/// Builds the list of events.
class Writer {
 public:
  explicit Writer(const sim::SpanLog& log) : log_(log) {}

  void add_names(std::span<const std::string> rank_names) {
    std::map<std::int64_t, std::array<bool, sim::track_count>> used;
    for (const Span& span : log_.spans) used[span.rank][row_of(span.track)] = true;
    for (std::size_t i = 0; i < log_.ranks.size(); ++i) {
      const std::int64_t rank = log_.ranks[i];
      const std::string sort = R"("sort_index":)" + std::to_string(i);
      add(metadata("process_name", place(rank, 0), R"("name":)" + json_string(rank_names[i])));
      add(metadata("process_sort_index", place(rank, 0), sort));
      for (std::size_t row = 0; row < track_names.size(); ++row) {
        if (used[rank][row]) add_row_name(rank, row);
      }
    }
  }

  /// Spans, each followed by the ends of its arrows: they belong to the span that is open when a
  /// viewer comes to them.
  void add_spans() {
    const std::vector<Arrow> arrows = arrows_of(log_.spans);
    std::vector<std::vector<std::string>> ends(log_.spans.size());
    for (std::size_t i = 0; i < arrows.size(); ++i) {
      const Span& from = log_.spans[arrows[i].from];
      const Span& to = log_.spans[arrows[i].to];
      ends[arrows[i].from].push_back(flow_event("s", i + 1, from, from.begin));
      ends[arrows[i].to].push_back(
          flow_event(R"(f","bp":"e)", i + 1, to, std::max(from.begin, to.begin)));
    }
    for (const std::size_t i : drawing_order(log_.spans)) {
      const Span& span = log_.spans[i];
      SIM_ASSERT(span.end >= span.begin, span.rank, span.end.count(), span.begin.count());
      add(complete_event(span));
      for (const std::string& end : ends[i]) add(end);
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
    const nlohmann::ordered_json head = scenarios::new_document("trace");
    return "{\n  \"schema\": " + head["schema"].dump() +
           ",\n  \"version\": " + head["version"].dump() +
           ",\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [" + events_ + "\n  ]\n}\n";
  }

 private:
  void add_row_name(std::int64_t rank, std::size_t row) {
    const std::string at = place(rank, row);
    add(metadata("thread_name", at, R"("name":)" + json_string(track_names[row])));
    add(metadata("thread_sort_index", at, R"("sort_index":)" + std::to_string(row)));
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
  writer.add_names(rank_names);
  writer.add_spans();
  writer.add_memory();
  return writer.text();
}

}  // namespace cubicbench::results
