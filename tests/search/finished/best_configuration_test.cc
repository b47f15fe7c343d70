#include "search/finished/best_configuration.h"

#include <gtest/gtest.h>

#include <string>

#include "support/input_error.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::search {
namespace {

/// The problem that hand-written studies are of, where more is better.
scenarios::Scenario made_up() {
  scenarios::Scenario scenario;
  scenario.name = "made-up";
  scenario.sha256 = "5555";
  return scenario;
}

std::string refusal(const TemporaryFolder& folder, const scenarios::Scenario& scenario,
                    std::uint64_t instance = 0) {
  try {
    best_configuration(folder.path(), scenario, instance);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

// Measured, the second study looks better (13 against 12); without noise the first is (11 against
// 10).
TEST(BestConfiguration, IsThatOfTheBestTrueValue) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a",
              {.launches = {{.value = 9.0, .truth = 9.5}, {.value = 12.0, .truth = 11.0}}});
  write_study(folder.path(), "b", {.seed = 1, .launches = {{.value = 13.0, .truth = 10.0}}});
  const BestConfiguration best = best_configuration(folder.path(), made_up(), 0);
  EXPECT_EQ(best.study, "made-up.0.random.0");
  EXPECT_EQ(best.trial, 1);
  EXPECT_EQ(best.measured, 12.0);
  EXPECT_EQ(best.value, 11.0);
  const ConfigText config{{"micro_batch", "1"}, {"sharding", "full_shard"}, {"compile", "true"}};
  EXPECT_EQ(best.config, config);
}

TEST(BestConfiguration, IsThatOfTheBestMeasuredWhereNoTruthIsKnown) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", {.launches = {{.value = 12.0}}});
  write_study(folder.path(), "b", {.seed = 1, .launches = {{.value = 13.0}}});
  const BestConfiguration best = best_configuration(folder.path(), made_up(), 0);
  EXPECT_EQ(best.study, "made-up.0.random.1");
  EXPECT_EQ(best.value, std::nullopt);
}

TEST(BestConfiguration, RefusesOtherProblems) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", {.launches = {{.value = 0.0, .reason = "oom_init"}}});
  scenarios::Scenario scenario = made_up();
  const std::string where = folder.path().string() + ": ";
  EXPECT_EQ(refusal(folder, scenario),
            where + "expected a launch that succeeded, got none of made-up");
  EXPECT_EQ(refusal(folder, scenario, 2),
            where + "expected a search of made-up, instance 2, got one of made-up");
  scenario.sha256 = "6666";
  EXPECT_EQ(refusal(folder, scenario),
            where +
                "expected a search of made-up as it is asked for here, got one of another "
                "problem of that name (scenario_sha256 differs)");
  scenario.name = "other";
  EXPECT_EQ(refusal(folder, scenario), where + "expected a search of other, got one of made-up");
}

TEST(BestConfiguration, RefusesWhatIsNoSearch) {
  const TemporaryFolder folder;
  EXPECT_NE(refusal(folder, made_up()), "");
}

}  // namespace
}  // namespace cubicbench::search
