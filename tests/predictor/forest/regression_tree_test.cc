#include "predictor/forest/regression_tree.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

LevelTable table_of(std::vector<LevelColumn> columns, const std::vector<Levels>& rows) {
  LevelTable table{.columns = std::move(columns), .levels = {}};
  for (const Levels& row : rows) table.add(row);
  return table;
}

RegressionTree grown(const LevelTable& table, const std::vector<double>& targets,
                     const TreeGrowth& growth = {.column_share = 1.0}) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return RegressionTree(table, targets, rows, growth, 1);
}

TEST(RegressionTree, SplitsWhereTheSquaredErrorIsLeast) {
  // Targets 1 1 1 | 9 9: one cut between levels 2 and 6, half-way, so that 4 is left and 5 right.
  const LevelTable table = table_of({{.levels = 8}}, {{0}, {1}, {2}, {6}, {7}});
  const RegressionTree tree = grown(table, {1.0, 1.0, 1.0, 9.0, 9.0});
  EXPECT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.value_at(Levels{4}), 1.0);
  EXPECT_EQ(tree.value_at(Levels{5}), 9.0);
}

TEST(RegressionTree, PutsLabelsTogetherByTheirMeans) {
  // Labels 0 and 2 have the low means: no cut of an order separates them from 1 and 3, one of the
  // means does. Label 4, which no row has, goes where most rows go.
  const LevelTable labels = table_of({{.levels = 5, .labels = true}}, {{0}, {2}, {1}, {3}, {3}});
  const std::vector<double> targets{1.0, 1.0, 5.0, 5.0, 5.0};
  const RegressionTree tree = grown(labels, targets);
  EXPECT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.value_at(Levels{0}), 1.0);
  EXPECT_EQ(tree.value_at(Levels{2}), 1.0);
  EXPECT_EQ(tree.value_at(Levels{1}), 5.0);
  EXPECT_EQ(tree.value_at(Levels{4}), 5.0);
  const LevelTable ordered = table_of({{.levels = 5}}, {{0}, {2}, {1}, {3}, {3}});
  EXPECT_GT(grown(ordered, targets).nodes().size(), 3U);
}

TEST(RegressionTree, EndsWhereRowsAreAlikeOrFew) {
  const LevelTable alike = table_of({{.levels = 2}}, {{1}, {1}, {1}});
  EXPECT_EQ(grown(alike, {1.0, 2.0, 6.0}).nodes().size(), 1U);
  EXPECT_EQ(grown(alike, {1.0, 2.0, 6.0}).value_at(Levels{0}), 3.0);
  // Leaves of two: of four rows only the cut in the middle is left.
  const LevelTable four = table_of({{.levels = 4}}, {{0}, {1}, {2}, {3}});
  const RegressionTree tree =
      grown(four, {0.0, 8.0, 8.0, 8.0}, {.column_share = 1.0, .leaf_min = 2});
  EXPECT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.value_at(Levels{0}), 4.0);
  EXPECT_EQ(tree.value_at(Levels{3}), 8.0);
}

TEST(RegressionTree, LooksFurtherWhereTheColumnsOfferedSayNothing) {
  // Nine of ten columns are constant; a split is offered one, and still finds the tenth.
  std::vector<LevelColumn> columns(10, {.levels = 2});
  Levels zero(10, 0);
  Levels one = zero;
  one[7] = 1;
  const LevelTable table = table_of(columns, {zero, one});
  const RegressionTree tree = grown(table, {1.0, 2.0}, {.column_share = 0.1});
  EXPECT_EQ(tree.value_at(zero), 1.0);
  EXPECT_EQ(tree.value_at(one), 2.0);
}

// Grown down to single rows a tree repeats what it learnt, where rows differ.
TEST(RegressionTree, RepeatsDistinctRows) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    LevelTable table{.columns = {{.levels = 64}, {.levels = 5, .labels = true}}, .levels = {}};
    std::vector<double> targets;
    for (std::uint8_t row = 0; row < 64; ++row) {
      const auto label = static_cast<std::uint8_t>(
          sim::uniform_below({.seed = seed, .entity = row, .draw = 1}, 5));
      table.add(Levels{row, label});
      targets.push_back(sim::uniform({.seed = seed, .entity = row}));
    }
    const RegressionTree tree = grown(table, targets, {.column_share = 0.5});
    for (std::uint8_t row = 0; row < 64; ++row) {
      EXPECT_EQ(tree.value_at(Levels{row, table.levels[1][row]}), targets[row]) << seed;
    }
  }
}

}  // namespace
}  // namespace cubicbench::predictor
