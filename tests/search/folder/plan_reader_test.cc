#include "search/folder/plan_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/plan_json.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

/// The plan of that text, from a file.
SearchPlan plan_of(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "plan.json", text);
  return read_plan(folder / "plan.json");
}

/// What is wrong with a plan of that text, the file being called FILE.
std::string problems_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder / "plan.json";
  write_text(path, text);
  try {
    read_plan(path);
    return "";
  } catch (const support::InputError& error) {
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
      message.replace(at, path.size(), "FILE");
    }
    return message;
  }
}

TEST(PlanReader, ReadsBackWhatASearchWrote) {
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.scenarios.push_back(scenarios::read_scenario("tiny-gpt"));
  plan.searchers.push_back(parse_searcher("random", "test"));
  plan.seeds = 3;
  plan.instances = 2;
  plan.slots = 4;
  plan.telling = Telling::worst;
  for (const std::optional<std::int64_t> trials : {std::optional<std::int64_t>(), {17}}) {
    plan.trials = trials;
    plan.permute = trials.has_value();
    const std::string text = plan_text(plan, {{"a", "b"}, {"c", "d"}});
    const SearchPlan read = plan_of(text);
    EXPECT_EQ(plan_text(read, {{"a", "b"}, {"c", "d"}}), text);
    EXPECT_EQ(read.trials, trials);
  }
}

TEST(PlanReader, FillsInTheDefaultsOfTheCommandLine) {
  const SearchPlan plan = plan_of(
      R"({"schema": "cubicbench.plan/1", "scenarios": [{"scenario": "tiny-gpt"}],
          "searchers": [{"searcher": "random"}]})");
  EXPECT_EQ(plan.trials, std::nullopt);
  EXPECT_EQ(plan.seeds, 1);
  EXPECT_EQ(plan.instances, 1);
  EXPECT_EQ(plan.slots, 1);
  EXPECT_EQ(plan.telling, Telling::reason);
  EXPECT_EQ(plan.backend, "simulator");
  EXPECT_FALSE(plan.permute);
}

TEST(PlanReader, RefusesAPlanOfMoreStudiesThanAFolderHolds) {
  const auto refusal = [](const std::string& seeds, const std::string& instances) {
    const TemporaryFolder folder;
    const std::string path = folder / "plan.json";
    SearchPlan plan;
    plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
    plan.searchers.push_back(parse_searcher("random", "test"));
    std::string text = plan_text(plan, {{"a"}});
    text.replace(text.find("\"seeds\": 1"), 10, "\"seeds\": " + seeds);
    text.replace(text.find("\"instances\": 1"), 14, "\"instances\": " + instances);
    write_text(path, text);
    try {
      read_asked_search(path);
      return std::string();
    } catch (const support::InputError& error) {
      return std::string(error.what()).substr(path.size());
    }
  };
  EXPECT_EQ(refusal("1000000", "1"), "");
  EXPECT_EQ(refusal("1", "2"), "#/instances: expected 1, the truth_sha256 of scenario 0, got 2");
  const std::string both = refusal("1000000", "1000000");
  EXPECT_EQ(
      both.substr(0, both.find('\n')),
      "#/seeds: expected at most 1000000 studies, each of a scenario, an instance, a searcher "
      "and a seed");
}

TEST(PlanReader, SaysEverythingThatIsWrong) {
  const std::string sha256 = scenarios::read_scenario("tiny-gpt").sha256;
  EXPECT_EQ(problems_of(R"({"schema": "cubicbench.journal/1", "seeds": "?"})"),
            "FILE#/schema: expected \"cubicbench.plan/1\", got \"cubicbench.journal/1\"");
  EXPECT_EQ(
      problems_of(R"({"schema": "cubicbench.plan/1", "seeds": 0, "telling": "all",
                            "scenarios": [{"scenario": "tiny-gtp", "trials": 1.5},
                                          {"scenario": "tiny-gpt", "scenario_sha256": "12"}],
                            "searchers": [{"searcher": "randm"}, {"name": "random"}],
                            "seed": 3})"),
      "FILE#/scenarios/0/scenario: unknown scenario \"tiny-gtp\"; did you mean \"tiny-gpt\"?\n"
      "FILE#/scenarios/0/trials: expected an integer in [1, 1000000000], got 1.5\n"
      "FILE#/scenarios/1/scenario_sha256: expected " +
          sha256 + ", the scenario of this version, got \"12\"\n" +
          [] {
            try {
              parse_searcher("randm", "FILE#/searchers/0/searcher");
            } catch (const support::InputError& error) {
              return std::string(error.what());
            }
            return std::string();
          }() +
          "\nFILE#/searchers/1/searcher: expected a string, got nothing\n"
          "FILE#/searchers/1/name: unknown key\n"
          "FILE#/seeds: expected an integer in [1, 1000000], got 0\n"
          "FILE#/telling: expected one of drop, worst, penalty, reason, bytes, got \"all\"\n"
          "FILE#/seed: unknown key; did you mean \"seeds\"?");
  EXPECT_EQ(problems_of(R"({"schema": "cubicbench.plan/1", "searchers": [],
                            "scenarios": [{"scenario": "tiny-gpt", "trials": 7},
                                          {"scenario": "tiny-llama", "trials": 8}]})"),
            "FILE#/scenarios: expected the same \"trials\" for all, or the budget of each, got "
            "others");
  EXPECT_EQ(
      problems_of(R"({"schema": "cubicbench.plan/1", "searchers": [],
                            "scenarios": [{"scenario": "tiny-gpt", "objective": {"metric": "loss"}},
                                          {"scenario": "tiny-llama",
                                           "objective": {"metric": "step_time_s", "percentile": 50,
                                                         "direction": "minimize"}}]})"),
      "FILE#/scenarios/0/objective/metric: expected one of step_time_s, samples_per_s, "
      "tokens_per_s, tokens_per_s_per_gpu, mfu, tokens_per_gpu_hour, tokens_per_joule, "
      "samples_per_joule, tokens_per_usd, samples_per_usd, got \"loss\"\n"
      "FILE#/scenarios/0/objective/percentile: expected a number in [0.1, 99.9], got nothing\n"
      "FILE#/scenarios/0/objective/direction: expected one of minimize, maximize, got "
      "nothing\n"
      "FILE#/scenarios/1/objective: expected that of the scenario of this version, got "
      "another");
}

}  // namespace
}  // namespace cubicbench::search
