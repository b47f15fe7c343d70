#include "results/simulation/trace_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/simulation/traced_ranks.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/philox.h"
#include "tests/results/trace_problems.h"

namespace cubicbench::results {
namespace {

using sim::Span;
using sim::SpanLog;
using sim::Track;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

constexpr sim::SimTime ns(std::int64_t count) { return sim::SimTime{1000 * count}; }

/// Two ranks: a pass with a kernel and a collective on one, which sends to the other.
SpanLog two_ranks() {
  SpanLog log;
  log.ranks = {0, 8};
  log.spans = {{.rank = 0,
                .track = Track::compute,
                .name = "attention",
                .micro_batch = 3,
                .layer = 1,
                .begin = ns(1500),
                .end = ns(2750)},
               {.rank = 0,
                .track = Track::tensor,
                .name = "all_gather",
                .micro_batch = 3,
                .layer = 1,
                .bytes = sim::Bytes{16384.0},
                .begin = ns(2750),
                .end = ns(4000)},
               {.rank = 0,
                .track = Track::schedule,
                .name = "forward",
                .micro_batch = 3,
                .begin = ns(1500),
                .end = ns(4000)},
               {.rank = 8,
                .track = Track::pipeline,
                .name = "receive",
                .micro_batch = 3,
                .bytes = sim::Bytes{1e6},
                .begin = ns(500),
                .end = ns(1'005'000),
                .message = 77},
               {.rank = 0,
                .track = Track::pipeline,
                .name = "send",
                .micro_batch = 3,
                .bytes = sim::Bytes{1e6},
                .begin = ns(4000),
                .end = ns(1'005'000),
                .message = 77}};
  log.memory = {{.rank = 8, .at = ns(500), .bytes = sim::Bytes{2e9}},
                {.rank = 0, .at = ns(1500), .bytes = sim::Bytes{1e9}}};
  return log;
}

TEST(TraceJson, IsTheTextThatViewersRead) {
  const std::vector<std::string> names{"rank 0 (stage 0)", "rank 8 (stage 1)"};
  const std::string expected = R"json({
  "schema": "cubicbench.trace/1",
  "version": ")json" CUBICBENCH_VERSION R"json(",
  "displayTimeUnit": "ms",
  "traceEvents": [
    {"ph":"M","name":"process_name","pid":0,"tid":1,"args":{"name":"rank 0 (stage 0)"}},
    {"ph":"M","name":"process_sort_index","pid":0,"tid":1,"args":{"sort_index":0}},
    {"ph":"M","name":"process_name","pid":8,"tid":8001,"args":{"name":"rank 8 (stage 1)"}},
    {"ph":"M","name":"process_sort_index","pid":8,"tid":8001,"args":{"sort_index":1}},
    {"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"passes"}},
    {"ph":"M","name":"thread_sort_index","pid":0,"tid":1,"args":{"sort_index":0}},
    {"ph":"X","name":"forward 3","pid":0,"tid":1,"ts":1.500,"dur":2.500,"args":{"micro_batch":3}},
    {"ph":"M","name":"thread_name","pid":0,"tid":201,"args":{"name":"compute"}},
    {"ph":"M","name":"thread_sort_index","pid":0,"tid":201,"args":{"sort_index":200}},
    {"ph":"X","name":"attention","pid":0,"tid":201,"ts":1.500,"dur":1.250,"args":{"micro_batch":3,"layer":1}},
    {"ph":"M","name":"thread_name","pid":0,"tid":301,"args":{"name":"tensor group"}},
    {"ph":"M","name":"thread_sort_index","pid":0,"tid":301,"args":{"sort_index":300}},
    {"ph":"X","name":"all_gather","pid":0,"tid":301,"ts":2.750,"dur":1.250,"args":{"micro_batch":3,"layer":1,"bytes":16384}},
    {"ph":"M","name":"thread_name","pid":0,"tid":601,"args":{"name":"pipeline"}},
    {"ph":"M","name":"thread_sort_index","pid":0,"tid":601,"args":{"sort_index":600}},
    {"ph":"X","name":"send","pid":0,"tid":601,"ts":4.000,"dur":1001.000,"args":{"micro_batch":3,"bytes":1000000}},
    {"ph":"s","name":"message","cat":"message","id":1,"pid":0,"tid":601,"ts":4.000},
    {"ph":"M","name":"thread_name","pid":8,"tid":8601,"args":{"name":"pipeline"}},
    {"ph":"M","name":"thread_sort_index","pid":8,"tid":8601,"args":{"sort_index":600}},
    {"ph":"X","name":"receive","pid":8,"tid":8601,"ts":0.500,"dur":1004.500,"args":{"micro_batch":3,"bytes":1000000}},
    {"ph":"f","bp":"e","name":"message","cat":"message","id":1,"pid":8,"tid":8601,"ts":4.000},
    {"ph":"C","name":"live tensors","pid":0,"tid":1,"ts":1.500,"args":{"bytes":1000000000}},
    {"ph":"C","name":"live tensors","pid":8,"tid":8001,"ts":0.500,"args":{"bytes":2000000000}}
  ]
}
)json";
  EXPECT_EQ(trace_json(two_ranks(), names), expected);
}

TEST(TraceJson, OfNothingIsATraceWithoutSpans) {
  const std::string text =
      trace_json({.ranks = {3}, .spans = {}, .memory = {}}, std::vector<std::string>{"rank 3"});
  const Json trace = Json::parse(text);
  EXPECT_THAT(trace_problems(trace), IsEmpty());
  EXPECT_EQ(trace["traceEvents"].size(), 2U);
}

// Time is in picoseconds, viewers count in nanoseconds: what is rounded still nests, and a day has
// its nanoseconds.
TEST(TraceJson, RoundsBothEndsOfASpanAndNotItsLength) {
  SpanLog log;
  log.ranks = {0};
  const sim::SimTime day{86'400'000'000'000'000};
  log.spans = {{.rank = 0,
                .track = Track::compute,
                .name = "inner",
                .begin = sim::SimTime{1'400},
                .end = sim::SimTime{2'600}},
               {.rank = 0,
                .track = Track::compute,
                .name = "outer",
                .begin = sim::SimTime{600},
                .end = sim::SimTime{2'600}},
               {.rank = 0,
                .track = Track::compute,
                .name = "late",
                .begin = day + sim::SimTime{499},
                .end = day + sim::SimTime{1'500}}};
  const std::string text = trace_json(log, std::vector<std::string>{"rank 0"});
  // 0.6 to 2.6 ns is from 1 to 3, 1.4 to 2.6 also from 1 to 3.
  EXPECT_THAT(text, HasSubstr(R"("name":"outer","pid":0,"tid":201,"ts":0.001,"dur":0.002)"));
  EXPECT_THAT(text, HasSubstr(R"("name":"inner","pid":0,"tid":201,"ts":0.001,"dur":0.002)"));
  EXPECT_LT(text.find("outer"), text.find("inner"));
  EXPECT_THAT(text, HasSubstr(R"("ts":86400000000.000,"dur":0.002)"));
}

TEST(TraceJson, DrawsNoArrowToWhoIsNotThere) {
  SpanLog log = two_ranks();
  log.spans.erase(log.spans.begin() + 3);
  const std::string text = trace_json(log, std::vector<std::string>{"a", "b"});
  EXPECT_EQ(text.find("\"ph\":\"s\""), std::string::npos);
  EXPECT_EQ(text.find("\"ph\":\"f\""), std::string::npos);
}

/// A random row: passes side by side, kernels in them, some of no length, some that end with their
/// pass to the picosecond.
void add_row(std::uint64_t seed, std::int64_t rank, Track track, SpanLog& log) {
  std::uint32_t draws = 0;
  const auto draw = [&](std::int64_t below) {
    const sim::Draw name{
        .seed = seed,
        .entity = static_cast<std::uint64_t>(rank) * 16 + static_cast<std::uint64_t>(track),
        .draw = draws++};
    return static_cast<std::int64_t>(sim::random_words(name).first %
                                     static_cast<std::uint64_t>(below));
  };
  sim::SimTime at{draw(5000)};
  for (std::int64_t pass = draw(5); pass >= 0; --pass) {
    const sim::SimTime begin = at;
    for (std::int64_t kernel = draw(4); kernel >= 0; --kernel) {
      const sim::SimTime from = at;
      at += sim::SimTime{draw(3) == 0 ? 0 : draw(9000)};
      log.spans.push_back(
          {.rank = rank, .track = track, .name = "kernel", .begin = from, .end = at});
    }
    log.spans.push_back({.rank = rank, .track = track, .name = "pass", .begin = begin, .end = at});
    at += sim::SimTime{draw(2) * draw(3000)};
  }
}

TEST(TraceJson, OfRandomLogsIsSound) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    SpanLog log;
    log.ranks = {0, 1, 81};
    for (const std::int64_t rank : log.ranks) {
      for (const Track track : {Track::schedule, Track::compute, Track::pipeline}) {
        add_row(seed, rank, track, log);
      }
    }
    const std::string text = trace_json(log, std::vector<std::string>{"a", "b", "c"});
    const Json trace = Json::parse(text);
    EXPECT_THAT(trace_problems(trace), IsEmpty());
    const auto& events = trace["traceEvents"];
    EXPECT_EQ(std::ranges::count(events, "X", [](const Json& e) { return e["ph"]; }),
              static_cast<std::ptrdiff_t>(log.spans.size()));
    EXPECT_EQ(text, trace_json(log, std::vector<std::string>{"a", "b", "c"}));
  }
}

TEST(TraceProblems, AreFound) {
  const Json sound = Json::parse(trace_json(two_ranks(), std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(trace_problems(sound), IsEmpty());
  struct Case {
    const char* event;
    const char* problem;
  };
  for (const Case& c : {
           Case{R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":3.0,"dur":2.0})", "spans that cross"},
           Case{R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":9.0,"dur":-1.0})",
                "a span that ends before it begins"},
           Case{R"({"ph":"X","name":"","pid":0,"tid":1,"ts":9.0,"dur":1.0})",
                "a span without a name"},
           Case{R"({"ph":"X","name":"x","pid":0,"tid":2,"ts":9.0,"dur":1.0})",
                "a row without a name"},
           Case{R"({"ph":"s","id":5,"pid":0,"tid":1,"ts":2.0})", "arrow 5 has no end"},
           Case{R"({"ph":"f","bp":"e","id":5,"pid":0,"tid":1,"ts":2.0})", "arrow 5 begins nowhere"},
           Case{R"({"ph":"f","id":1,"pid":0,"tid":1,"ts":2.0})", "an end that binds"},
           Case{R"({"ph":"s","id":1,"pid":0,"tid":1,"ts":9.0})",
                "an arrow's end outside the span before it"},
       }) {
    SCOPED_TRACE(c.event);
    Json trace = sound;
    trace["traceEvents"].push_back(Json::parse(c.event));
    const std::vector<std::string> problems = trace_problems(trace);
    EXPECT_THAT(problems, testing::Contains(HasSubstr(c.problem)));
  }
}

TEST(TracedRanks, AreTheFirstOfFourStages) {
  using Ranks = std::vector<std::int64_t>;
  struct Case {
    const char* scenario;
    std::vector<std::string> sets;
    Ranks expected;
  };
  for (const Case& c : {
           // 8 tensor ranks a stage, 16 stages: stages 0, 1, 8 and 15.
           Case{"llama3-405b", {"tensor_parallel=8", "pipeline_parallel=16"}, {0, 8, 64, 120}},
           Case{"llama3-405b",
                {"tensor_parallel=8", "context_parallel=2", "pipeline_parallel=2"},
                {0, 16}},
           // Stages outermost, of four ranks each.
           Case{"pathways-3b", {"pipeline_parallel=16"}, {0, 4, 32, 60}},
           Case{"tiny-gpt", {"pipeline_parallel=1"}, {0}},
           // Of 8 GPUs, which cannot be laid out so.
           Case{"tiny-gpt", {"tensor_parallel=8", "pipeline_parallel=8"}, {0, 1, 4, 7}},
           Case{"ads-73b", {}, {0, 8}},
       }) {
    SCOPED_TRACE(c.scenario);
    EXPECT_EQ(telling_ranks(scenarios::read_scenario(c.scenario, c.sets)), c.expected);
  }
}

TEST(TracedRanks, AreNamedByTheirPlace) {
  const scenarios::Scenario llama = scenarios::read_scenario(
      "llama3-405b", std::vector<std::string>{"tensor_parallel=8", "pipeline_parallel=16"});
  EXPECT_EQ(traced_rank_name(llama, 0), "rank 0 (stage 0, data 0, tensor 0)");
  // 10,000 = 78 x 128 + 2 x 8 + 0
  EXPECT_EQ(traced_rank_name(llama, 10'000), "rank 10,000 (stage 2, data 78, tensor 0)");
  EXPECT_EQ(traced_rank_name(scenarios::read_scenario("ads-73b"), 17), "rank 17 (node 2)");
  const scenarios::Scenario gpt =
      scenarios::read_scenario("tiny-gpt", std::vector<std::string>{"tensor_parallel=1"});
  EXPECT_EQ(traced_rank_name(gpt, 5), "rank 5 (data 5)");
}

}  // namespace
}  // namespace cubicbench::results
