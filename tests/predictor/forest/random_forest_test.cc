#include "predictor/forest/random_forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace cubicbench::predictor {
namespace {

RegressionTree leaf(double value) { return RegressionTree({TreeNode{.value = value}}); }

TEST(RandomForest, ExpectsTheMeanOfItsTreesAndDeviatesAsTheyDo) {
  const RandomForest forest({leaf(1.0), leaf(4.0), leaf(7.0)});
  const Normal said = forest.at(Levels{0});
  EXPECT_DOUBLE_EQ(said.mean, 4.0);
  EXPECT_DOUBLE_EQ(said.deviation, std::sqrt(6.0));
}

LevelTable line_of_rows() {
  LevelTable table{.columns = {{.levels = 60}, {.levels = 2}}, .levels = {}};
  for (std::uint8_t row = 0; row < 60; ++row) {
    table.add(Levels{row, static_cast<std::uint8_t>(row % 2)});
  }
  return table;
}

TEST(RandomForest, LearnsAndDoubtsBetweenRows) {
  const LevelTable table = line_of_rows();
  std::vector<double> targets;
  for (int row = 0; row < 60; ++row) targets.push_back(row < 30 ? 0.0 : 10.0);
  const RandomForest forest(table, targets, {.trees = 50});
  EXPECT_EQ(forest.trees().size(), 50U);
  EXPECT_EQ(forest.at(Levels{5, 0}).mean, 0.0);
  EXPECT_EQ(forest.at(Levels{55, 1}).mean, 10.0);
  // Where the step is, it depends on which rows a tree has drawn.
  EXPECT_GT(forest.at(Levels{30, 0}).deviation, 0.0);
  EXPECT_EQ(forest.at(Levels{5, 0}).deviation, 0.0);
}

TEST(RandomForest, IsAFunctionOfItsSeed) {
  const LevelTable table = line_of_rows();
  std::vector<double> targets;
  for (int row = 0; row < 60; ++row) targets.push_back(row * row % 17);
  const auto mean = [&](std::uint64_t seed) {
    return RandomForest(table, targets, {.trees = 10, .seed = seed}).at(Levels{13, 1}).mean;
  };
  EXPECT_EQ(mean(3), mean(3));
  EXPECT_NE(mean(3), mean(4));
}

}  // namespace
}  // namespace cubicbench::predictor
