#include <gtest/gtest.h>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/plan_json.h"
#include "search/folder/plan_reader.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

TEST(AskedSearch, IsWhatThePlanSays) {
  const TemporaryFolder folder;
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.scenarios.back().name = "mine";  // of no library
  plan.scenarios.back().objective = {scenarios::Metric::step_time_s, 90.0,
                                     scenarios::Direction::minimize};
  plan.searchers.push_back(parse_searcher("evolution:sample=5", "test"));
  plan.trials = 7;
  plan.seeds = 3;
  plan.slots = 2;
  plan.telling = Telling::drop;
  plan.permute = true;
  write_text(folder / "plan.json", plan_text(plan, {{"ab"}}));
  AskedSearch asked = read_asked_search(folder / "plan.json");
  EXPECT_FALSE(asked.version.empty());
  asked.version.clear();
  const AskedSearch expected{.version = "",
                             .scenarios = {{.name = "mine",
                                            .sha256 = plan.scenarios.back().sha256,
                                            .truth_sha256 = {"ab"},
                                            .trials = 7,
                                            .objective = {scenarios::Metric::step_time_s, 90.0,
                                                          scenarios::Direction::minimize}}},
                             .searchers = {"evolution:sample=5"},
                             .seeds = 3,
                             .instances = 1,
                             .slots = 2,
                             .telling = "drop",
                             .backend = "simulator",
                             .permute = true};
  EXPECT_EQ(asked, expected);
}

TEST(AskedSearch, LacksNothing) {
  const TemporaryFolder folder;
  write_text(folder / "plan.json",
             R"({"schema": "cubicbench.plan/1", "version": "1", "scenarios": [{"scenario": "a",
            "scenario_sha256": "b", "truth_sha256": [], "trials": 1}], "searchers": [],
            "instances": 1, "slots": 0, "telling": "drop", "backend": "simulator"})");
  try {
    read_asked_search(folder / "plan.json");
    FAIL() << "expected an error";
  } catch (const support::InputError& error) {
    const std::string file = (folder / "plan.json").string();
    EXPECT_EQ(error.what(), file + "#/scenarios/0/objective: expected an object, got nothing\n" +
                                file +
                                "#/seeds: expected an integer in [1, 1000000], got nothing\n" +
                                file + "#/slots: expected an integer in [1, 65536], got 0");
  }
}

}  // namespace
}  // namespace cubicbench::search
