#include "sim/workload/table_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cubicbench::sim {
namespace {

/// The numbers of Meta's set of 2022, over weights of about its size.
TableSetStatistics published() {
  return {.seed = 1,
          .tables = 788,
          .parameters = 70e9,
          .ids_per_sample = 10720.5,
          .dims = {64, 96, 128, 192},
          .groups = 24,
          .reuse = RowReuse{.batch = 131072.0, .mean = 12.7}};
}

double over(const std::vector<TableGroup>& groups, auto term) {
  return std::accumulate(groups.begin(), groups.end(), 0.0, [&](double sum, const TableGroup& g) {
    return sum + static_cast<double>(g.tables) * term(g);
  });
}

double weights(const TableGroup& g) {
  return static_cast<double>(g.rows) * static_cast<double>(g.dim);
}

TEST(TableSet, AddsUpToWhatIsStated) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    TableSetStatistics s = published();
    s.seed = seed;
    const std::vector<TableGroup> groups = table_set(s);
    EXPECT_LE(groups.size(), 24U);
    EXPECT_EQ(over(groups, [](const TableGroup&) { return 1.0; }), 788.0);
    EXPECT_NEAR(over(groups, weights) / s.parameters, 1.0, 1e-3);
    EXPECT_NEAR(over(groups, [](const TableGroup& g) { return g.pooling; }), 10720.5, 0.1);
  }
}

TEST(TableSet, IsTheSameForTheSameSeedOnly) {
  TableSetStatistics s = published();
  const std::vector<TableGroup> groups = table_set(s);
  EXPECT_EQ(table_set(s), groups);
  s.seed = 2;
  EXPECT_NE(table_set(s), groups);
}

// 1,405,163,864 ids over 110,259,238 rows.
TEST(TableSet, UsesRowsAsOftenAsStated) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    TableSetStatistics s = published();
    s.seed = seed;
    const std::vector<TableGroup> groups = table_set(s);
    EXPECT_NEAR(mean_reuse(groups, 131072.0) / 12.7, 1.0, 0.01);
    EXPECT_GT(groups.front().skew, 0.0);
    for (const TableGroup& g : groups) EXPECT_EQ(g.skew, groups.front().skew);
  }
}

TEST(TableSet, ReuseGrowsWithSkew) {
  TableSetStatistics s = published();
  s.reuse.reset();
  double before = 0.0;
  for (const double skew : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0}) {
    s.skew = skew;
    const double reuse = mean_reuse(table_set(s), 131072.0);
    EXPECT_GT(reuse, before) << skew;
    before = reuse;
  }
  const Range range = mean_reuse_range(table_set(s), 131072.0);
  EXPECT_LT(range.min, 12.7);
  EXPECT_EQ(range.max, before);
}

// The largest hundredth of the tables holds much of the weights, and the smaller half next to none.
TEST(TableSet, HasAHeavyTail) {
  TableSetStatistics s = published();
  s.groups = 788;
  s.reuse.reset();
  std::vector<TableGroup> tables = table_set(s);
  ASSERT_EQ(tables.size(), 788U);
  std::ranges::sort(tables, std::ranges::greater(), weights);
  const auto share = [&](std::size_t first, std::size_t last) {
    double sum = 0.0;
    for (std::size_t i = first; i < last; ++i) sum += weights(tables[i]);
    return sum / s.parameters;
  };
  EXPECT_GT(share(0, 8), 0.15);
  EXPECT_LT(share(394, 788), 0.10);
  const auto rows = [&](auto compare) {
    return static_cast<double>(std::ranges::max(tables, compare, &TableGroup::rows).rows);
  };
  EXPECT_GT(rows(std::ranges::less()), 1e7);
  EXPECT_LT(rows(std::ranges::greater()), 1e4);
}

TEST(TableSet, MostTablesHaveFewIdsAndTheLargestOne) {
  TableSetStatistics s = published();
  s.groups = 788;
  s.reuse.reset();
  std::vector<TableGroup> tables = table_set(s);
  const auto with_pooling = [&](double from, double to) {
    return std::ranges::count_if(
        tables, [&](const TableGroup& g) { return g.pooling >= from && g.pooling <= to; });
  };
  EXPECT_GT(with_pooling(1.0, 20.0), 788 * 3 / 4);
  EXPECT_GT(with_pooling(50.0, 200.0), 10);
  EXPECT_EQ(with_pooling(1.0, 200.0), 788);
  std::ranges::sort(tables, std::ranges::greater(), &TableGroup::rows);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(tables[i].pooling, 1.0) << i;
}

TEST(TableSet, LargerTablesMostlyHaveLongerRows) {
  TableSetStatistics s = published();
  s.groups = 788;
  std::vector<TableGroup> tables = table_set(s);
  std::ranges::sort(tables, {}, &TableGroup::rows);
  double small = 0.0;
  double large = 0.0;
  for (std::size_t i = 0; i < 394; ++i) {
    small += static_cast<double>(tables[i].dim);
    large += static_cast<double>(tables[788 - 1 - i].dim);
  }
  EXPECT_GT(large, 1.2 * small);
  for (const std::int64_t dim : s.dims) {
    EXPECT_EQ(std::ranges::count(tables, dim, &TableGroup::dim), 197) << dim;
  }
}

TEST(TableSet, JoinsNeighboursWithoutLosingAnything) {
  TableSetStatistics s = published();
  s.groups = 788;
  const std::vector<TableGroup> all = table_set(s);
  s.groups = 12;
  const std::vector<TableGroup> few = table_set(s);
  EXPECT_EQ(few.size(), 12U);
  const auto pooling = [](const TableGroup& g) { return g.pooling; };
  const auto width = [](const TableGroup& g) { return static_cast<double>(g.dim); };
  EXPECT_NEAR(over(few, weights) / over(all, weights), 1.0, 1e-6);
  EXPECT_NEAR(over(few, pooling) / over(all, pooling), 1.0, 1e-12);
  EXPECT_EQ(over(few, width), over(all, width));
  // Hundreds of small ones are one shape, the largest are few.
  const TableGroup& largest = std::ranges::max(few, {}, &TableGroup::rows);
  EXPECT_LE(largest.tables, 16);
}

TEST(TableSet, LeavesTheLongestFeaturesUnpooled) {
  TableSetStatistics s = published();
  s.unpooled = 4;
  const std::vector<TableGroup> groups = table_set(s);
  double unpooled = 0.0;
  double ids = 0.0;
  for (const TableGroup& g : groups) {
    if (g.pooled) continue;
    unpooled += static_cast<double>(g.tables);
    ids += static_cast<double>(g.tables) * g.pooling;
  }
  EXPECT_EQ(unpooled, 4.0);
  EXPECT_GT(ids / unpooled, 100.0);
}

TEST(TableSet, OneTableIsWhatIsStated) {
  const std::vector<TableGroup> one =
      table_set({.seed = 3, .tables = 1, .parameters = 64e6, .ids_per_sample = 1.0, .dims = {64}});
  const TableGroup table{.tables = 1, .rows = 1'000'000, .dim = 64, .pooling = 1.0};
  EXPECT_EQ(one, std::vector{table});
}

TEST(TableSet, KnowsWhatFits) {
  TableSetStatistics s = published();
  const Range parameters = parameters_range(s);
  EXPECT_EQ(parameters.min, 10.0 * 197.0 * (64.0 + 96.0 + 128.0 + 192.0));
  EXPECT_EQ(parameters.max, 2e8 * 197.0 * (64.0 + 96.0 + 128.0 + 192.0));
  // Eight tables have one id.
  const Range ids = ids_per_sample_range(s);
  EXPECT_EQ(ids.min, 788.0);
  EXPECT_EQ(ids.max, 8.0 + 780.0 * 200.0);
}

}  // namespace
}  // namespace cubicbench::sim
