#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

constexpr const char* base = "tiny-llama";

/// The base with this under a key of its workload.
Scenario with(const char* key, const char* value) {
  EXPECT_EQ(message_after(base, key, value), "");
  return read_scenario(in_test_folder("s.json"));
}

const sim::Transformer& model_of(const Scenario& scenario) {
  return std::get<sim::Transformer>(scenario.workload);
}

TEST(AdaptersInput, AreReadModuleByModule) {
  const Scenario all = with("/workload/adapters", R"({"rank": 16})");
  EXPECT_EQ(model_of(all).adapters,
            (sim::Adapters{.rank = 16, .products = {true, true, true, true}}));
  const Scenario two =
      with("/workload/adapters", R"({"rank": 8, "target_modules": ["linear_fc2", "linear_qkv"]})");
  EXPECT_EQ(model_of(two).adapters,
            (sim::Adapters{.rank = 8, .products = {true, false, false, true}}));
}

TEST(AdaptersInput, SaysWhereWhatWasExpectedAndWhatWasGot) {
  struct Case {
    const char* scenario;
    const char* adapters;
    const char* message;
  };
  for (const Case& c :
       {Case{base, "16", "s.json#/workload/adapters: expected an object, got 16"},
        Case{base, R"({"rank": 0})",
             "s.json#/workload/adapters/rank: expected an integer in [1, 16777216], got 0"},
        Case{base, R"({"rank": 8, "target_modules": []})",
             "s.json#/workload/adapters/target_modules: expected at least one module, got []"},
        Case{base, R"({"rank": 8, "target_modules": ["linear_kqv"]})",
             "s.json#/workload/adapters/target_modules/0: expected one of linear_qkv, linear_proj, "
             "linear_fc1, linear_fc2, got \"linear_kqv\"; did you mean \"linear_qkv\"?"},
        Case{base, R"({"rank": 8, "alpha": 16})", "s.json#/workload/adapters/alpha: unknown key"},
        Case{"tiny-moe", R"({"rank": 8})",
             "s.json#/workload/adapters: expected no latent_attention beside it\n"
             "s.json#/workload/adapters: expected no experts beside it"}}) {
    SCOPED_TRACE(c.adapters);
    EXPECT_EQ(message_after(c.scenario, "/workload/adapters", c.adapters), c.message);
  }
}

// Hashes name results: models without adapters keep the ones that they had.
TEST(AdaptersInput, ArePartOfTheHashWhereAModelHasThem) {
  const Scenario plain = read_scenario(base);
  EXPECT_EQ(canonical_text(plain, plain.baseline).find("adapters"), std::string::npos);
  EXPECT_EQ(canonical_text(plain, plain.baseline).find("packed_sample"), std::string::npos);
  const Scenario scenario = with("/workload/adapters", R"({"rank": 16})");
  EXPECT_NE(canonical_text(scenario, scenario.baseline)
                .find(R"("adapters":{"products":[true,true,true,true],"rank":16})"),
            std::string::npos);
  EXPECT_NE(scenario.sha256, plain.sha256);
  EXPECT_NE(with("/workload/packed_sample", "64").sha256, plain.sha256);
}

TEST(PackedSampleInput, IsNoLongerThanASequence) {
  EXPECT_EQ(model_of(with("/workload/packed_sample", "64")).packed_sample, 64);
  const std::string message = message_after(base, "/workload/packed_sample", "1000000");
  EXPECT_NE(message.find("s.json#/workload/packed_sample: expected at most "
                         "/workload/sequence ("),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace cubicbench::scenarios
