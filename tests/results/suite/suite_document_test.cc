#include "results/suite/suite_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/regret/known_spaces.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;
using testing::HasSubstr;
using testing::Not;

/// Baseline 10, optimum 20; climbs end at these values; `oom` of 100 configurations have no memory.
SuiteCard card(double one_knob, double two_knobs, std::uint64_t oom) {
  SuiteCard card;
  card.space.configurations = 100;
  card.space.failures = {{Reason::oom_late, oom}};
  card.space.optimum.emplace().value = 20.0;
  card.space.baseline = {.value = 10.0, .share_better = 0.1};
  card.landscape.climbs.from_baseline = datasets::Summit{.value = one_knob};
  card.landscape.climbs.from_baseline_pairs = datasets::Summit{.value = two_knobs};
  return card;
}

TEST(Hardness, SaysHowManyKnobsHaveToChangeTogether) {
  EXPECT_EQ(hardness(card(19.9, 20.0, 10)),
            "Here a climb of one knob at a time wins, and models must not lose.");
  EXPECT_EQ(hardness(card(12.0, 20.0, 10)),
            "A climb of one knob at a time stops short: two have to change together.");
  EXPECT_EQ(hardness(card(12.0, 15.0, 60)),
            "No climb of up to two knobs from the baseline gets there: more have to change "
            "together; most of the space runs out of memory.");
}

TEST(SuiteDocument, HasACardForAProblemWithItsReference) {
  const scenarios::Scenario scenario = datasets::read_scenario("fine-tuning@7");
  const auto space = shipped_reference(scenario.name, scenario.sha256);
  ASSERT_TRUE(space);
  EXPECT_FALSE(shipped_reference(scenario.name, "another"));
  SuiteCard one{.scenario = scenario, .trials = 150, .space = *space, .landscape = {}};
  one.landscape.climbs.from_baseline = datasets::Summit{.value = space->optimum->value};
  scenarios::Suite suite;
  suite.name = "small";
  const std::string text = terminal_text(suite_document(suite, {one}, {}), {});
  EXPECT_THAT(text, HasSubstr("fine-tuning@7"));
  EXPECT_THAT(text, HasSubstr("budget 150 launches"));
  EXPECT_THAT(text, HasSubstr("closes 100.0 % of the gap"));
  EXPECT_THAT(text, HasSubstr("recompute"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(SuiteDocument, HoldsATableOfRealRunsAgainstTheMedian) {
  const scenarios::Scenario scenario = datasets::read_scenario("nanotron-3.57b-64gpu");
  const SuiteCard one{.scenario = scenario,
                      .trials = 20,
                      .space = datasets::value_small_space({scenario, 0}, "", 20),
                      .landscape = {}};
  const scenarios::Suite suite;
  const std::string text = terminal_text(suite_document(suite, {one}, {}), {});
  EXPECT_THAT(text, HasSubstr("x the median"));
  EXPECT_THAT(text, HasSubstr("no baseline is stated"));
  EXPECT_THAT(text, Not(HasSubstr("climbs")));
  const auto json = suite_json(suite, {one}, {});
  EXPECT_TRUE(json["problems"][0]["baseline"].is_null());
  EXPECT_EQ(json["problems"][0]["configurations"], 107);
  EXPECT_LT(json["problems"][0]["median"], json["problems"][0]["optimum"]);
  EXPECT_TRUE(json["scores"]["baseline"].is_null());
}

}  // namespace
}  // namespace cubicbench::results
