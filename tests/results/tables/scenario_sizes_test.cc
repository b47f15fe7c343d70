#include "results/tables/scenario_sizes.h"

#include <gtest/gtest.h>

#include "tests/golden_files.h"

namespace cubicbench::results {
namespace {

TEST(ScenarioSizes, AreThoseOfTheLibrary) {
  const std::filesystem::path sizes =
      std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "results/sizes";
  expect_golden("scenarios.json", counted_sizes(), {.folder = sizes, .values = false});
}

TEST(ScenarioSizes, AreLookedUpByName) {
  const ScenarioSize size = size_of_scenario("llama3-405b");
  EXPECT_EQ(size.gpus, 16'384);
  EXPECT_EQ(size.configurations, 19'996'096U);
}

}  // namespace
}  // namespace cubicbench::results
