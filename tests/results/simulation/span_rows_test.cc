#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "results/simulation/trace_json.h"
#include "sim/base/philox.h"

namespace cubicbench::results {
namespace {

using sim::SimTime;
using sim::Span;
using sim::Track;
using Lanes = std::vector<std::vector<std::size_t>>;

Span span_of(std::int64_t begin, std::int64_t end, std::uint64_t message = 0) {
  return {.rank = 3,
          .track = Track::pipeline,
          .name = "x",
          .begin = SimTime{begin},
          .end = SimTime{end},
          .message = message};
}

TEST(SpanRows, HaveALaneMoreForWhatCrosses) {
  struct Case {
    const char* name;
    std::vector<Span> spans;
    Lanes lanes;
  };
  for (const Case& c : {
           Case{"nothing", {}, {}},
           Case{"one after the other", {span_of(0, 5), span_of(5, 9)}, {{0, 1}}},
           Case{"inside, to the same end", {span_of(2, 9), span_of(0, 9)}, {{1, 0}}},
           Case{"equal: the later one is around", {span_of(2, 9), span_of(2, 9)}, {{1, 0}}},
           Case{"crossing", {span_of(0, 5), span_of(3, 9), span_of(5, 7)}, {{0, 2}, {1}}},
           Case{"three at once",
                {span_of(0, 5), span_of(1, 6), span_of(2, 7), span_of(6, 8)},
                {{0, 3}, {1}, {2}}},
           Case{"messages do not lie in one another",
                {span_of(0, 9, 1), span_of(2, 5, 2), span_of(9, 9, 3)},
                {{0, 2}, {1}}},
           Case{"nor in anything else", {span_of(0, 9), span_of(2, 5, 2)}, {{0}, {1}}},
           Case{"of no length", {span_of(4, 4), span_of(4, 4), span_of(0, 4)}, {{2, 1, 0}}},
       }) {
    SCOPED_TRACE(c.name);
    Lanes lanes;
    for (const SpanRow& row : span_rows(c.spans)) {
      EXPECT_EQ(row.rank, 3);
      EXPECT_EQ(row.track, Track::pipeline);
      EXPECT_EQ(row.lane, static_cast<int>(lanes.size()));
      lanes.push_back(row.spans);
    }
    EXPECT_EQ(lanes, c.lanes);
  }
}

TEST(SpanRows, GoByRankAndTrack) {
  std::vector<Span> spans{span_of(0, 1), span_of(0, 1), span_of(0, 1), span_of(0, 2)};
  spans[0].rank = 7;
  spans[1].track = Track::host;
  const std::vector<SpanRow> rows = span_rows(spans);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].spans, (std::vector<std::size_t>{1}));
  EXPECT_EQ(rows[1].spans, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(rows[2].spans, (std::vector<std::size_t>{0}));
  EXPECT_EQ(rows[2].rank, 7);
}

// Every span once, none across another of its row.
TEST(SpanRows, OfRandomSpansNeverCross) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Span> spans;
    for (std::uint64_t i = 0; i < 40; ++i) {
      const sim::RandomWords words = sim::random_words({.seed = seed, .entity = i});
      const auto begin = static_cast<std::int64_t>(words.first % 50);
      spans.push_back(span_of(begin, begin + static_cast<std::int64_t>(words.second % 20),
                              words.second % 3 == 0 ? i + 1 : 0));
    }
    std::size_t drawn = 0;
    for (const SpanRow& row : span_rows(spans)) {
      drawn += row.spans.size();
      for (std::size_t a = 0; a < row.spans.size(); ++a) {
        for (std::size_t b = a + 1; b < row.spans.size(); ++b) {
          const Span& first = spans[row.spans[a]];
          const Span& second = spans[row.spans[b]];
          EXPECT_LE(first.begin, second.begin);
          EXPECT_TRUE(second.begin >= first.end || second.end <= first.end);
        }
      }
    }
    EXPECT_EQ(drawn, spans.size());
  }
}

}  // namespace
}  // namespace cubicbench::results
