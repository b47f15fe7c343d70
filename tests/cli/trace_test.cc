#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/input_error.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"
#include "tests/results/trace_problems.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class Trace : public FolderTest {
 protected:
  /// The text of the trace of `words`, or "" where none was written.
  std::string traced(const std::string& words) const {
    std::filesystem::remove(trace_);
    const Answer answer = ask("simulate " + words + " --engine event --quiet --trace " + trace_);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(trace_ + ".tmp"));
    return std::filesystem::exists(trace_) ? read_text(trace_) : "";
  }

  const std::string trace_ = path("trace.json");
};

std::set<std::int64_t> processes_of(const Json& trace) {
  std::set<std::int64_t> processes;
  for (const Json& event : trace["traceEvents"]) processes.insert(event["pid"].get<std::int64_t>());
  return processes;
}

TEST_F(Trace, IsSoundAndOfTheRanksThatWereAsked) {
  struct Case {
    const char* words;
    std::set<std::int64_t> ranks;
  };
  for (const Case& c : {
           Case{"tiny-gpt", {0}},
           Case{"tiny-gpt --trace-ranks 3,0-1,3 --fold off", {0, 1, 3}},
           Case{"tiny-llama --set pipeline_parallel=2 --set tensor_parallel=2", {0, 4}},
           Case{"llama3-8b --contention off --trace-ranks 63", {63}},
           Case{"ads-73b", {0, 8}},
           Case{"llama3-405b", {0, 8, 64, 120}},
           Case{"tiny-gpt --jitter 3 --trace-ranks 2-5", {2, 3, 4, 5}},
       }) {
    SCOPED_TRACE(c.words);
    const std::string text = traced(c.words);
    ASSERT_NE(text, "");
    const Json trace = Json::parse(text);
    EXPECT_THAT(results::trace_problems(trace), IsEmpty());
    EXPECT_EQ(processes_of(trace), c.ranks);
    std::size_t spans = 0;
    for (const Json& event : trace["traceEvents"]) spans += event["ph"] == "X" ? 1 : 0;
    EXPECT_GT(spans, c.ranks.size());
    EXPECT_EQ(traced(c.words), text);
  }
}

struct Summary {
  double end_s = 0.0;           ///< of the last span
  std::int64_t peak_bytes = 0;  ///< of live tensors
};

Summary summary_of(const Json& trace) {
  Summary summary;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      const double end_us = event["ts"].get<double>() + event["dur"].get<double>();
      summary.end_s = std::max(summary.end_s, end_us * 1e-6);
    } else if (event["ph"] == "C") {
      summary.peak_bytes = std::max(summary.peak_bytes, event["args"]["bytes"].get<std::int64_t>());
    }
  }
  return summary;
}

// Where the fullest rank is shown the counter peaks at what the document says that it allocates,
// and the last span ends with the step.
TEST_F(Trace, EndsWithTheStepAndPeaksAtItsMemory) {
  for (const std::string words :
       {"tiny-gpt", "tiny-llama", "llama3-8b", "ads-73b", "pathways-3b", "llama3-405b"}) {
    SCOPED_TRACE(words);
    const Answer answer =
        ask("simulate " + words + " --engine event --json --quiet --trace " + trace_);
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json document = Json::parse(answer.out);
    const Summary summary = summary_of(Json::parse(read_text(trace_)));
    EXPECT_NEAR(summary.end_s, document["step_time_s"].get<double>(), 1e-9);
    EXPECT_EQ(summary.peak_bytes, document["memory"]["allocated_bytes"].get<std::int64_t>());
  }
}

TEST_F(Trace, OfAStepThatWasHeldUpEndsWhereEverybodyWaits) {
  const std::string conditions = write("conditions.json", R"({"schema": "cubicbench.conditions/1",
                                   "failed_ranks": [{"rank": 6, "at_s": 0.3}]})");
  const std::string words = "tiny-llama --set pipeline_parallel=4 --set tensor_parallel=1 ";
  const Json trace = Json::parse(traced(words + "--trace-ranks 0-7 --conditions " + conditions));
  EXPECT_THAT(results::trace_problems(trace), IsEmpty());
  const Json whole = Json::parse(traced(words + "--trace-ranks 0-7"));
  EXPECT_LT(trace["traceEvents"].size(), whole["traceEvents"].size());
  EXPECT_GT(summary_of(trace).end_s, 0.3);
}

TEST_F(Trace, ChangesNoResult) {
  const std::string with =
      ask("simulate tiny-gpt --engine event --json --quiet --trace " + trace_).out;
  EXPECT_EQ(with, ask("simulate tiny-gpt --engine event --json").out);
}

TEST_F(Trace, IsNotWrittenOfWhatDoesNotRun) {
  EXPECT_EQ(traced("tiny-gpt --set global_batch=63"), "");
}

TEST_F(Trace, ThatCannotBeWrittenIsRefusedBeforeTheStep) {
  const Answer answer =
      ask("simulate tiny-gpt --engine event --quiet --trace /no-such-folder/t.json");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(
      answer.err,
      "--trace: cannot write /no-such-folder/t.json: /no-such-folder is no folder that can be "
      "written\n");
}

TEST_F(Trace, ShowsNoMoreRanksThanAScreen) {
  const Answer more = ask("simulate llama3-70b --engine event --trace t --trace-ranks 0-64");
  EXPECT_EQ(more.code, 2);
  EXPECT_EQ(more.err, "--trace-ranks: expected at most 64 ranks, got 65\n");
}

}  // namespace
}  // namespace cubicbench::cli
