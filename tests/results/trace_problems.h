#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cubicbench::results {

/// Nanoseconds, as viewers count.
template <class Json>
std::int64_t trace_ns(const Json& us) {
  return std::llround(us.template get<double>() * 1000.0);
}

/// One span, and what is open in its row when it begins.
struct DrawnSpan {
  std::int64_t begin;
  std::int64_t end;
};

template <class Json>
class TraceChecker {
 public:
  using Row = std::pair<std::int64_t, std::int64_t>;  ///< process and thread

  std::vector<std::string> problems;

  void check(const Json& event) {
    const std::string phase = event.at("ph");
    const Row row{event.at("pid"), event.at("tid")};
    if (phase == "M") return check_name(event, row);
    if (!named_.contains(row) && phase != "C") complain(event, "a row without a name");
    if (phase == "X") check_span(event, row);
    if (phase == "C" && event.at("args").at("bytes").template get<std::int64_t>() < 0) {
      complain(event, "fewer than no bytes");
    }
    if (phase == "s" || phase == "f") check_end(event, row, phase == "s");
  }

  void check_arrows() {
    for (const auto& [id, at] : begun_) {
      const auto end = ended_.find(id);
      if (end == ended_.end()) {
        problems.push_back("arrow " + std::to_string(id) + " has no end");
      } else if (end->second < at) {
        problems.push_back("arrow " + std::to_string(id) + " ends before it begins");
      }
    }
    for (const auto& [id, at] : ended_) {
      if (!begun_.contains(id))
        problems.push_back("arrow " + std::to_string(id) + " begins nowhere");
    }
  }

 private:
  void complain(const Json& event, const std::string& what) {
    problems.push_back(what + ": " + event.dump());
  }

  void check_name(const Json& event, const Row& row) {
    if (event.at("name") != "thread_name") return;
    if (!named_.insert(row).second) complain(event, "a row with two names");
    if (!threads_.insert(row.second).second) complain(event, "a thread of two processes");
  }

  void check_span(const Json& event, const Row& row) {
    const DrawnSpan span{trace_ns(event.at("ts")),
                         trace_ns(event.at("ts")) + trace_ns(event.at("dur"))};
    if (event.at("name").template get<std::string>().empty())
      complain(event, "a span without a name");
    if (span.end < span.begin) complain(event, "a span that ends before it begins");
    std::vector<DrawnSpan>& open = open_[row];
    while (!open.empty() && open.back().end <= span.begin && !is_instant_in(open.back(), span)) {
      open.pop_back();
    }
    if (!open.empty() && (span.begin < open.back().begin || span.end > open.back().end)) {
      complain(event, "spans that cross");
    }
    open.push_back(span);
  }

  static bool is_instant_in(const DrawnSpan& outer, const DrawnSpan& span) {
    return span.begin == span.end && span.begin == outer.end;
  }

  void check_end(const Json& event, const Row& row, bool begins) {
    const std::int64_t at = trace_ns(event.at("ts"));
    const std::vector<DrawnSpan>& open = open_[row];
    if (open.empty() || at < open.back().begin || at > open.back().end) {
      complain(event, "an arrow's end outside the span before it");
    }
    if (!begins && event.value("bp", std::string()) != "e")
      complain(event, "an end that binds to what follows");
    auto& ends = begins ? begun_ : ended_;
    if (!ends.emplace(event.at("id").template get<std::int64_t>(), at).second) {
      complain(event, "an arrow with two such ends");
    }
  }

  std::set<Row> named_;
  std::set<std::int64_t> threads_;
  std::map<Row, std::vector<DrawnSpan>> open_;
  std::map<std::int64_t, std::int64_t> begun_;
  std::map<std::int64_t, std::int64_t> ended_;
};

/// What a viewer could not draw of a trace (Chrome's trace event format, as Perfetto reads it):
/// events without a name or a row, spans of a row that cross, arrows without both ends, ends
/// outside a span, arrows back in time. Nothing of a sound one. A template, so that this header
/// needs no JSON.
template <class Json>
std::vector<std::string> trace_problems(const Json& trace) {
  TraceChecker<Json> checker;
  if (trace.at("schema") != "cubicbench.trace/1") checker.problems.push_back("another schema");
  for (const Json& event : trace.at("traceEvents")) checker.check(event);
  checker.check_arrows();
  return checker.problems;
}

}  // namespace cubicbench::results
