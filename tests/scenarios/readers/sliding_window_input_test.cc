#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

constexpr const char* base = "tiny-llama";

/// The base with this as its window.
Scenario with_window(const char* window) {
  EXPECT_EQ(message_after(base, "/workload/sliding_window", window), "");
  return read_scenario(in_test_folder("s.json"));
}

TEST(SlidingWindowInput, IsReadKeyByKey) {
  const Scenario scenario = with_window(R"({"tokens": 512, "full_period": 6})");
  EXPECT_EQ(std::get<sim::Transformer>(scenario.workload).window,
            (sim::SlidingWindow{.tokens = 512, .full_period = 6}));
  EXPECT_EQ(
      std::get<sim::Transformer>(with_window(R"({"tokens": 512})").workload).window.full_period, 0);
}

TEST(SlidingWindowInput, SaysWhereWhatWasExpectedAndWhatWasGot) {
  struct Case {
    const char* scenario;
    const char* window;
    const char* message;
  };
  for (const Case& c :
       {Case{base, "512", "s.json#/workload/sliding_window: expected an object, got 512"},
        Case{base, R"({"tokens": 0})",
             "s.json#/workload/sliding_window/tokens: expected an integer in [1, 16777216], got 0"},
        Case{base, R"({"tokens": 8, "period": 2})",
             "s.json#/workload/sliding_window/period: unknown key"},
        Case{"tiny-moe", R"({"tokens": 8})",
             "s.json#/workload/sliding_window: expected no latent_attention beside it"}}) {
    SCOPED_TRACE(c.window);
    EXPECT_EQ(message_after(c.scenario, "/workload/sliding_window", c.window), c.message);
  }
}

// Hashes name results: models without windows keep the ones that they had.
TEST(SlidingWindowInput, IsPartOfTheHashWhereAModelHasOne) {
  const Scenario plain = read_scenario(base);
  EXPECT_EQ(canonical_text(plain, plain.baseline).find("sliding_window"), std::string::npos);
  const Scenario scenario = with_window(R"({"tokens": 512})");
  EXPECT_NE(canonical_text(scenario, scenario.baseline)
                .find(R"("sliding_window":{"full_period":0,"tokens":512})"),
            std::string::npos);
  EXPECT_NE(with_window(R"({"tokens": 512, "full_period": 2})").sha256, scenario.sha256);
  EXPECT_NE(with_window(R"({"tokens": 256})").sha256, scenario.sha256);
}

}  // namespace
}  // namespace cubicbench::scenarios
