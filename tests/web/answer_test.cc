#include "web/engine/answer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run.h"
#include "datasets/problem/table_scenario.h"
#include "search/folder/campaign.h"
#include "support/files.h"
#include "tests/temporary_folder.h"

namespace cubicbench::web {
namespace {

using nlohmann::ordered_json;

/// The page's working folder belongs to it alone.
class Answer : public testing::Test {
 protected:
  Answer() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
  }
  ~Answer() override { std::filesystem::current_path(before_); }

  static ordered_json asked(const ordered_json& request) {
    return ordered_json::parse(answer(request.dump()));
  }
  static ordered_json ran(const std::vector<std::string>& words) {
    return asked({{"ask", "run"}, {"words", words}});
  }
  static ordered_json begun(const std::string& searcher, int launches) {
    return asked({{"ask", "race_begin"},
                  {"scenario", "tiny-llama"},
                  {"searchers", {searcher}},
                  {"launches", launches},
                  {"seed", 3}});
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path before_;
};

TEST_F(Answer, IsWhatTheCommandPrints) {
  const std::vector<std::string> words{"simulate", "llama3-8b", "--set", "micro_batch=2", "--json"};
  std::ostringstream out;
  std::ostringstream err;
  cli::run(words, out, err);
  const ordered_json there = ran(words);
  EXPECT_EQ(there["code"], 0);
  EXPECT_EQ(there["out"], out.str());
  EXPECT_EQ(there["err"], "");
}

TEST_F(Answer, HasTheMessagesOfTheCommand) {
  const ordered_json there = ran({"simulate", "llama3-8b", "--set", "micro_batch=none"});
  EXPECT_EQ(there["code"], 2);
  EXPECT_EQ(there["out"], "");
  EXPECT_NE(there["err"].get<std::string>().find("micro_batch"), std::string::npos);
}

TEST_F(Answer, KnowsTheCommandsOfThePageAlone) {
  EXPECT_EQ(ran({"search", "tiny-llama", "--out", "out"})["code"], 2);
  EXPECT_FALSE(std::filesystem::exists("out"));
}

TEST_F(Answer, ReadsFilesOfThePageAndReturnsThoseThatTheCommandWrites) {
  const std::string scenario =
      support::read_file(CUBICBENCH_SOURCE_DIR "/scenarios/library/tiny-gpt.json");
  const ordered_json first =
      asked({{"ask", "run"},
             {"words", {"timeline", "./mine.json", "--out", "steps.svg", "--json"}},
             {"files", {{"mine.json", scenario}}}});
  EXPECT_EQ(first["code"], 0) << first["err"];
  EXPECT_EQ(first["files"].size(), 1);
  EXPECT_NE(first["files"]["steps.svg"].get<std::string>().find("<svg"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists("steps.svg"));
  EXPECT_EQ(ran({"simulate", "./mine.json", "--json"})["code"], 0) << "the page's file stays";
}

TEST_F(Answer, SaysWhatIsWrongWithARequest) {
  struct Case {
    const char* request;
    const char* error;
  };
  for (const Case& c :
       {Case{"{", "request:1:2: "}, Case{"[]", "request#"},
        Case{R"({"ask":"simulate"})", "request#/ask: expected one of run, race_begin, race_step"},
        Case{R"({"ask":"run","words":[1]})", "request#/words/0: expected a string"},
        Case{R"({"ask":"run","words":["list"],"file":{}})", "request#/file: unknown key"},
        Case{R"({"ask":"run","words":["list"],"files":{"../a":""}})", "request#/files: expected"},
        Case{R"({"ask":"race_begin","scenario":"tiny","searchers":[],"launches":0})",
             "request#/launches: expected an integer in [1, 100000]"},
        Case{R"({"ask":"race_begin","scenario":"nosuch","searchers":["random"],"launches":1})",
             "nosuch"}}) {
    const ordered_json answered = ordered_json::parse(answer(c.request));
    ASSERT_TRUE(answered.contains("error")) << c.request << answered.dump();
    EXPECT_NE(answered["error"].get<std::string>().find(c.error), std::string::npos)
        << answered["error"];
  }
}

TEST_F(Answer, OfARaceHasTheLaunchesOfASearchToTheByte) {
  begun("evolution", 40);
  while (!asked({{"ask", "race_step"}, {"launches", 7}})["is_done"].get<bool>()) {
  }
  search::SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario("tiny-llama"));
  plan.searchers.push_back(search::parse_searcher("evolution", "searcher"));
  plan.trials = 40;
  plan.first_seed = 3;
  plan.start = search::Start::baseline;
  search::SearchRun run;
  run.out = "found";
  search::run_search(plan, run);
  const std::string name = "tiny-llama.0.evolution.3.jsonl";
  EXPECT_EQ(support::read_file("race/" + name),
            support::read_file(std::filesystem::path("found/journals") / name));
}

TEST_F(Answer, OfARaceStatesTheOptimumAndTheCourseOfRandomSearch) {
  const ordered_json race = begun("random", 60);
  ASSERT_TRUE(race.contains("optimum")) << race.dump();
  const double optimum = race["optimum"]["value"].get<double>();
  const std::vector<double> mean = race["random"]["mean"];
  EXPECT_EQ(mean.size(), 60U);
  EXPECT_LT(mean.front(), mean.back());
  EXPECT_LE(race["random"]["p95"].back().get<double>(), optimum);
  ordered_json step;
  do {
    step = asked({{"ask", "race_step"}, {"launches", 20}});
  } while (!step["is_done"].get<bool>());
  EXPECT_LE(step["searchers"][0]["best"].get<double>(), optimum);
  EXPECT_GE(step["searchers"][0]["best"].get<double>(), race["baseline"].get<double>() * 0.9);
}

TEST_F(Answer, OfARaceIsTheSameWhateverTheSteps) {
  const auto ended = [](int launches) {
    begun("coordinate", 30);
    std::vector<ordered_json> all;
    for (bool is_done = false; !is_done;) {
      const ordered_json step = asked({{"ask", "race_step"}, {"launches", launches}});
      is_done = step["is_done"].get<bool>();
      for (const ordered_json& one : step["searchers"][0]["recent"]) all.push_back(one);
    }
    return all;
  };
  const std::vector<ordered_json> by_one = ended(1);
  EXPECT_EQ(by_one.size(), 30U);
  EXPECT_EQ(by_one, ended(11));
}

TEST_F(Answer, OfAStepWithoutARaceIsAnError) {
  begun("nosuch", 1);  // ends the race before
  EXPECT_TRUE(asked({{"ask", "race_step"}, {"launches", 1}}).contains("error"));
}

}  // namespace
}  // namespace cubicbench::web
