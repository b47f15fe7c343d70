#include "search/wire/seen_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/ledger/ledger.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using Json = nlohmann::ordered_json;

StudySpec spec_of(bool permute, std::int64_t seed = 0) {
  return {.scenario = "", .searcher = {}, .seed = seed, .permute = permute};
}

TEST(SeenProblem, GivesEveryConfigurationBackAsItWas) {
  for (const char* const name : {"tiny-llama", "llama3-8b", "ads-73b", "nanotron-3.57b-128gpu"}) {
    const scenarios::Scenario scenario = datasets::read_scenario(name);
    for (const bool permute : {false, true}) {
      const SeenProblem problem(scenario, spec_of(permute, 5));
      for (std::uint64_t draw = 0; draw < 50; ++draw) {
        Configuration config(scenario.space.size());
        scenario.space.sample(1, draw, config);
        const Json seen = problem.config_json(config);
        EXPECT_EQ(problem.configuration_of(seen), config) << name << " " << seen;
        // As it arrives: read from text.
        EXPECT_EQ(problem.configuration_of(Json::parse(seen.dump())), config);
      }
    }
  }
}

TEST(SeenProblem, IgnoresWhatIsInactive) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const SeenProblem problem(scenario, spec_of(false));
  Json config = Json::parse(
      R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,"sharding":"zero1","recompute":"none","compile":false})");
  const Configuration without = problem.configuration_of(config);
  config["schedule"] = "1f1b";
  config["sequence_parallel"] = true;
  config["async_tensor_parallel"] = "no such value";
  config["wrap"] = 2;
  EXPECT_EQ(problem.configuration_of(config), without);
  EXPECT_TRUE(scenario.space.contains(without));
}

TEST(SeenProblem, ShowsTheSpaceAsTheScenarioHasIt) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const Json space = SeenProblem(scenario, spec_of(false)).space_json();
  EXPECT_EQ(space["parameters"][0].dump(),
            R"({"name":"tensor_parallel","type":"ordinal","values":[1,2,4,8]})");
  EXPECT_EQ(
      space["parameters"][4].dump(),
      R"({"name":"sequence_parallel","type":"boolean","values":[false,true],"when":{"tensor_parallel":[2,4,8]}})");
  EXPECT_EQ(space["constraints"][0]["name"], "gpus divide");
}

TEST(SeenProblem, ShowsAPermutedSpaceWithTheSameNumberOfValues) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const Json known = SeenProblem(scenario, spec_of(false)).space_json();
  const Json permuted = SeenProblem(scenario, spec_of(true)).space_json();
  const auto sizes = [](const Json& space) {
    std::multiset<std::size_t> all;
    for (const Json& parameter : space["parameters"]) all.insert(parameter["values"].size());
    return all;
  };
  EXPECT_EQ(sizes(known), sizes(permuted));
}

TEST(SeenProblem, ListsTheRowsOfATableOfRuns) {
  for (const char* const name : {"nanotron-3.57b-64gpu", "nanotron-3.57b-128gpu"}) {
    const scenarios::Scenario scenario = datasets::read_scenario(name);
    for (const bool permute : {false, true}) {
      const SeenProblem problem(scenario, spec_of(permute, 5));
      const Json space = problem.space_json();
      ASSERT_EQ(space["configs"].size(), scenario.space.count());
      std::set<std::uint64_t> numbers;
      for (const Json& config : space["configs"]) {
        const Configuration row = problem.configuration_of(config);
        ASSERT_TRUE(scenario.space.contains(row)) << config;
        numbers.insert(scenario.space.number_of(row));
        EXPECT_EQ(problem.config_json(row), config);
      }
      EXPECT_EQ(numbers.size(), scenario.space.count());
      const bool knows_names = space.dump().find("tensor_parallel") != std::string::npos;
      EXPECT_EQ(knows_names, !permute);
    }
  }
}

TEST(SeenProblem, ListsNothingOfASpaceThatRulesDescribe) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  EXPECT_FALSE(SeenProblem(scenario, spec_of(false)).space_json().contains("configs"));
}

}  // namespace
}  // namespace cubicbench::search
