#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"
#include "tests/results/well_formed.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class TimelineCommand : public FolderTest {};

TEST_F(TimelineCommand, WritesThePictureOfAStep) {
  const Answer answer = ask("timeline llama3-405b --out " + path("step.svg"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("stage 15, rank 120"));
  EXPECT_THAT(answer.out, HasSubstr("Open " + path("step.svg") + " in a browser."));
  const std::string svg = read("step.svg");
  EXPECT_EQ(results::xml_problem(svg), "");
  const Answer again = ask("timeline llama3-405b --threads 1 --out " + path("again.svg"));
  EXPECT_TRUE(read("again.svg") == svg);
}

TEST_F(TimelineCommand, DrewThePictureInTheDocumentation) {
  const std::string line =
      "timeline llama3-70b --set pipeline_parallel=8 --set schedule=1f1b --set micro_batch=1 "
      "--set global_batch=128 --out ";
  const std::filesystem::path docs = std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "docs";
  EXPECT_THAT(read_text(docs / "timeline.md"),
              HasSubstr("cubicbench " + line + "docs/timeline.svg"));
  ASSERT_EQ(ask(line + path("made.svg")).code, 0);
  EXPECT_TRUE(read("made.svg") == read_text(docs / "timeline.svg"))
      << "docs/timeline.svg is stale: docs/timeline.md has the command that makes it anew";
}

TEST_F(TimelineCommand, TakesTheStepThatSimulatePlays) {
  const std::string how = "tiny-llama --set micro_batch=1 --instance 2 --contention off --json";
  const Json timeline = Json::parse(ask("timeline --out " + path("a.svg") + " " + how).out);
  const Json simulated = Json::parse(ask("simulate --engine event " + how).out);
  EXPECT_EQ(timeline["schema"], "cubicbench.timeline/1");
  EXPECT_EQ(timeline["step_time_s"], simulated["step_time_s"]);
  EXPECT_EQ(timeline["config"], simulated["config"]);
  ASSERT_FALSE(timeline["ranks"].empty());
  EXPECT_NEAR(
      timeline["ranks"][0]["busy_s"].get<double>() + timeline["ranks"][0]["idle_s"].get<double>(),
      timeline["step_time_s"].get<double>(), 1e-9);
}

TEST_F(TimelineCommand, ShowsTheRanksThatAreAskedFor) {
  const Json timeline =
      Json::parse(ask("timeline llama3-405b --ranks 3,0-1 --json --out " + path("a.svg")).out);
  ASSERT_EQ(timeline["ranks"].size(), 3U);
  EXPECT_EQ(timeline["ranks"][2]["rank"], 3);
}

TEST_F(TimelineCommand, OfAStepThatDoesNotEndThereIsNone) {
  const Answer answer = ask("timeline llama3-8b --set micro_batch=64 --out " + path("none.svg"));
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("llama3-8b: no picture, as no step ends: "));
  EXPECT_FALSE(std::filesystem::exists(path("none.svg")));
  const Json document = Json::parse(
      ask("timeline llama3-8b --set micro_batch=64 --json --out " + path("none.svg")).out);
  EXPECT_NE(document["status"], "ok");
  EXPECT_EQ(document["ranks"], Json::array());
}

TEST_F(TimelineCommand, RefusesWhatItCannotDraw) {
  struct Case {
    std::string line;
    std::string message;
  };
  for (const Case& c :
       {Case{"timeline tiny-llama", "--out: expected a file name that ends in .svg, got nothing\n"},
        Case{"timeline tiny-llama --out step.png",
             "--out: expected a file name that ends in .svg, got \"step.png\"\n"},
        Case{"timeline tiny-llama --ranks 99999 --out " + path("a.svg"),
             "--ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"99999\"\n"},
        Case{"timeline tiny-llama --trace x --out " + path("a.svg"),
             "--trace: unknown option; an option of simulate, collective\n"},
        Case{"timeline nanotron-3.57b-128gpu --out " + path("a.svg"),
             "nanotron-3.57b-128gpu: expected a scenario with a model, got a table of runs: "
             "nothing is simulated, but search plays what was measured\n"}}) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.message);
  }
}

}  // namespace
}  // namespace cubicbench::cli
