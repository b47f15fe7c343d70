#include "predictor/encoding/feature_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cubicbench::predictor {
namespace {

using testing::ElementsAre;

FeatureMatrix column_of(std::vector<double> cells) {
  const std::size_t rows = cells.size();
  return {.rows = rows, .columns = 1, .cells = std::move(cells)};
}

TEST(FeatureLevels, GiveEachOfFewValuesALevel) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FeatureLevels levels(column_of({4.0, 1.0, 2.0, 1.0, nan}));
  EXPECT_EQ(levels.levels(0), 4U);  // 1, 2, 4 and what is not known
  const auto level = [&](double value) { return levels.of(std::vector{value}).front(); };
  EXPECT_EQ(level(1.0), 0);
  EXPECT_EQ(level(2.0), 1);
  EXPECT_EQ(level(2.9), 1);  // half-way between 2 and 4 is 3
  EXPECT_EQ(level(3.1), 2);
  EXPECT_EQ(level(1e9), 2);
  EXPECT_EQ(level(nan), 3);
  EXPECT_THAT(levels.places(0), ElementsAre(1.0, 2.0, 4.0, 2.0));
}

TEST(FeatureLevels, ShareLevelsWhereValuesAreMany) {
  std::vector<double> values;
  for (int i = 0; i < 1'000; ++i) values.push_back(i * i);
  const FeatureLevels levels(column_of(values));
  EXPECT_LE(levels.levels(0), levels_max);
  EXPECT_GE(levels.levels(0), levels_max - 2);
  std::uint8_t before = 0;
  for (const double value : values) {
    const std::uint8_t level = levels.of(std::vector{value}).front();
    EXPECT_GE(level, before);
    EXPECT_LT(level, levels.levels(0) - 1);
    before = level;
  }
}

}  // namespace
}  // namespace cubicbench::predictor
