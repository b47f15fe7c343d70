#include "support/statistics/main_effect.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::support {
namespace {

using Levels = std::vector<std::int64_t>;
using Values = std::vector<double>;

TEST(MainEffect, MatchesHandComputedShares) {
  // Mean 4: T = 9 + 1 + 1 + 9 = 20. Levels {1, 3} and {5, 7}: W = 2 + 2 = 4.
  const Levels levels{0, 0, -1, -1};
  const Values values{1, 3, 5, 7};
  EXPECT_DOUBLE_EQ(*main_effect(levels, values, Drawn::all), 1.0 - 4.0 / 20.0);
  EXPECT_DOUBLE_EQ(*main_effect(levels, values, Drawn::sample), 1.0 - 3.0 / 2.0 * 4.0 / 20.0);
}

TEST(MainEffect, IsNoneWhereNothingCanBeSaid) {
  EXPECT_FALSE(main_effect({}, {}, Drawn::all));
  EXPECT_FALSE(main_effect(Levels{0}, Values{1}, Drawn::all));
  EXPECT_FALSE(main_effect(Levels{0, 1, 1}, Values{2, 2, 2}, Drawn::all));
  EXPECT_FALSE(main_effect(Levels{0, 1, 2}, Values{1, 2, 3}, Drawn::sample));
  EXPECT_EQ(main_effect(Levels{0, 1, 2}, Values{1, 2, 3}, Drawn::all), 1.0);
}

TEST(MainEffect, OfOneLevelIsZeroAndNeverLess) {
  EXPECT_EQ(main_effect(Levels{5, 5, 5}, Values{1, 2, 4}, Drawn::sample), 0.0);
  EXPECT_EQ(main_effect(Levels{0, 0, 1, 1}, Values{1, 2, 1, 2}, Drawn::sample), 0.0);
}

TEST(MainEffect, OfChanceIsCorrectedInASample) {
  // 200 draws on 20 levels that say nothing: uncorrected, the share is near 19 / 199 = 0.095.
  double corrected = 0.0;
  double uncorrected = 0.0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Levels levels;
    Values values;
    for (std::uint64_t i = 0; i < 200; ++i) {
      levels.push_back(static_cast<std::int64_t>(i % 20));
      values.push_back(sim::uniform({.seed = seed, .entity = i}));
    }
    corrected += *main_effect(levels, values, Drawn::sample) / 50.0;
    uncorrected += *main_effect(levels, values, Drawn::all) / 50.0;
  }
  EXPECT_NEAR(uncorrected, 19.0 / 199.0, 0.01);
  EXPECT_LT(corrected, 0.02);  // its positive half, as what is below 0 counts as 0
}

}  // namespace
}  // namespace cubicbench::support
