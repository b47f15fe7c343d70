#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

/// `name` of the library with `engine` as its engine.
Scenario with_engine(const char* name, const char* engine) {
  auto json = nlohmann::ordered_json::parse(*text(Kind::scenario, name));
  json["engine"] = engine;
  const TemporaryFolder folder;
  write_text(folder / "scenario.json", json.dump());
  return read_scenario(folder / "scenario.json");
}

TEST(EngineKey, MakesTheEventEngineTheTruth) {
  const Scenario usual = read_scenario("ads-73b");
  const Scenario played = with_engine("ads-73b", "event");
  sim::Workspace workspace;
  const double analytical = evaluate(usual, usual.baseline, workspace).step.value;
  const double event = evaluate(played, played.baseline, workspace).step.value;
  const double by_hand = play(usual, usual.baseline, {}, workspace).step.step.value;
  EXPECT_EQ(event, by_hand);
  EXPECT_NE(event, analytical);
  EXPECT_NEAR(event, analytical, 0.02 * analytical);
}

TEST(EngineKey, IsPartOfTheProblemOnlyWhereItIsNotTheUsualOne) {
  const std::string usual = read_scenario("tiny-gpt").sha256;
  EXPECT_EQ(with_engine("tiny-gpt", "analytical").sha256, usual);
  EXPECT_NE(with_engine("tiny-gpt", "event").sha256, usual);
}

TEST(EngineKey, IsRefusedWhenItIsNoEngine) {
  try {
    with_engine("tiny-gpt", "evnt");
    FAIL() << "expected an InputError";
  } catch (const support::InputError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems().front().text,
              "expected one of analytical, event, got \"evnt\"; did you mean \"event\"?");
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
