#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/simulation/shown_problem.h"
#include "results/simulation/simulation.h"
#include "results/simulation/simulation_document.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Simulation simulated(const std::vector<std::string>& sets) {
  const std::string file = std::string(CUBICBENCH_SOURCE_DIR) + "/tests/scenarios/cost-7b.json";
  return simulate(scenarios::read_scenario(file, sets), sets);
}

std::map<std::string, std::string> facts_of(const Simulation& of) {
  std::map<std::string, std::string> facts;
  for (const Block& block : simulation_document(of).blocks) {
    if (const auto* const some = std::get_if<Facts>(&block.content)) {
      facts.insert(some->items.begin(), some->items.end());
    }
  }
  return facts;
}

TEST(DeadlineText, SaysByHowMuchItWouldBeMissed) {
  const Simulation of = simulated({"gpus=32"});
  ASSERT_TRUE(of.training_days);
  EXPECT_GT(*of.training_days, 30.0);
  EXPECT_EQ(status_of(of), "ok");  // the step itself runs
  EXPECT_THAT(reason(of).value_or(""), StartsWith("training 2.000 T tokens would take "));
  EXPECT_THAT(reason(of).value_or(""), HasSubstr(" days, and the deadline is 30 days"));
  const nlohmann::ordered_json json = simulation_json(of);
  EXPECT_TRUE(json["objective"]["value"].is_null());
  EXPECT_EQ(json["deadline"]["tokens"], 2e12);
  EXPECT_EQ(json["deadline"]["days"], 30.0);
  EXPECT_EQ(json["deadline"]["training_days"], *of.training_days);
  auto facts = facts_of(of);
  EXPECT_EQ(facts.count("deadline"), 0u);  // the objective says it
  EXPECT_THAT(facts["objective"], StartsWith("none: training 2.000 T tokens would take "));
  EXPECT_THAT(facts["cluster"], StartsWith("32 of 256 x h100-sxm-80gb, 8 a node"));
  EXPECT_THAT(facts["layout"], HasSubstr(" x data 32,"));
}

TEST(DeadlineText, SaysHowLongItTakesWhereItIsMet) {
  const Simulation of = simulated({});
  EXPECT_FALSE(reason(of));
  auto facts = facts_of(of);
  EXPECT_THAT(facts["deadline"], StartsWith("2.000 T tokens in 30 days: would take "));
  EXPECT_THAT(facts["objective"], HasSubstr(" tokens per GPU-hour, the median "));
  EXPECT_THAT(facts["cluster"], StartsWith("256 x h100-sxm-80gb, 8 a node"));
  EXPECT_THAT(objective_sentence(of.scenario.objective),
              HasSubstr(" Deadline: 2.000 T tokens in 30 days."));
}

TEST(DeadlineText, SpeaksOfTheJobsLimitWhereThatIsWhatPassed) {
  const Simulation of = simulated({"job.time_limit_s=301"});
  EXPECT_THAT(reason(of).value_or(""), HasSubstr("the time limit of a job"));
}

TEST(DeadlineText, IsNotThereWithoutADeadline) {
  const Simulation of = simulate(scenarios::read_scenario("tiny-gpt"));
  EXPECT_FALSE(simulation_json(of).contains("deadline"));
  EXPECT_EQ(facts_of(of).count("deadline"), 0u);
}

}  // namespace
}  // namespace cubicbench::results
