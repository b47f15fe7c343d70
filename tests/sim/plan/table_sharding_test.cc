#include "sim/plan/table_sharding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/base/philox.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/plan/placed_tables.h"

namespace cubicbench::sim {
namespace {

Recommendation tables(std::vector<TableGroup> groups) {
  Recommendation model;
  model.tables = std::move(groups);
  return model;
}

TableSharding sharded(const Recommendation& model, const Plan& plan, int gpus) {
  TableSharding sharding;
  shard_tables(model, plan, round_cluster(gpus), Bytes{}, sharding);
  return sharding;
}

TEST(TableSharding, TableWisePlacesEveryTableOnOneRank) {
  const TableSharding sharding =
      sharded(tables({{.tables = 20, .rows = 1000, .dim = 64, .pooling = 5.0}}), Plan{}, 8);
  EXPECT_EQ(placed(sharding, 0), 20);
  ASSERT_EQ(sharding.classes.size(), 2u);
  // 20 tables on 8 ranks: four ranks hold three, four hold two.
  for (const RankClass& ranks : sharding.classes) {
    EXPECT_EQ(ranks.ranks, 4);
  }
  EXPECT_EQ(sharding.held_by(sharding.classes[0])[0], 2);
  EXPECT_EQ(sharding.held_by(sharding.classes[1])[0], 3);
}

TEST(TableSharding, CheapTablesFillUpTheRanksWithoutACostlyOne) {
  const TableSharding sharding =
      sharded(tables({{.tables = 3, .rows = 100, .dim = 64},
                      {.tables = 1, .rows = 100, .dim = 128, .pooling = 40.0}}),
              Plan{}, 4);
  for (const RankClass& ranks : sharding.classes) {
    EXPECT_EQ(sharding.held_by(ranks)[0] + sharding.held_by(ranks)[1], 1);
  }
}

TEST(TableSharding, ColumnsAreCutNoNarrowerThanTheMinimumAndEvenly) {
  struct Case {
    std::int64_t dim;
    std::int64_t columns;
  };
  Plan plan{};
  plan.embedding_plan = EmbeddingPlan::column_wise;
  for (const Case& c :
       {Case{64, 1}, Case{128, 1}, Case{255, 1}, Case{256, 2}, Case{257, 1}, Case{512, 4}}) {
    const TableSharding sharding =
        sharded(tables({{.tables = 3, .rows = 10, .dim = c.dim}}), plan, 4);
    EXPECT_EQ(sharding.shards[0].columns, c.columns) << c.dim;
    EXPECT_EQ(sharding.shards[0].count, 3 * c.columns) << c.dim;
    EXPECT_EQ(sharding.shards[0].width * c.columns, c.dim);
    EXPECT_EQ(placed(sharding, 0), 3 * c.columns);
  }
}

TEST(TableSharding, RowWiseGivesEveryRankTheSameRows) {
  Plan plan{};
  plan.embedding_plan = EmbeddingPlan::row_wise;
  const TableSharding sharding = sharded(tables({{.tables = 2, .rows = 1001, .dim = 64}}), plan, 8);
  EXPECT_EQ(sharding.shards[0].layout, TableLayout::by_rows);
  EXPECT_EQ(sharding.shards[0].rows, 126);  // 1,001 / 8, rounded up
  ASSERT_EQ(sharding.classes.size(), 1u);
  EXPECT_EQ(sharding.classes[0].ranks, 8);
  EXPECT_EQ(sharding.held_by(sharding.classes[0])[0], 0);  // nothing is placed
}

TEST(TableSharding, TableRowWiseCutsATableOverOneNode) {
  Plan plan{};
  plan.embedding_plan = EmbeddingPlan::table_row_wise;
  // Three tables on two nodes of eight: two on one, one on the other, cut in eight each.
  const TableSharding sharding =
      sharded(tables({{.tables = 3, .rows = 1001, .dim = 256}}), plan, 16);
  EXPECT_EQ(sharding.shards[0].layout, TableLayout::by_node_rows);
  EXPECT_EQ(sharding.shards[0].rows, 126);
  EXPECT_EQ(sharding.shards[0].count, 3);
  ASSERT_EQ(sharding.classes.size(), 2u);
  for (const RankClass& ranks : sharding.classes) EXPECT_EQ(ranks.ranks, 8);
  EXPECT_EQ(sharding.held_by(sharding.classes[0])[0], 1);
  EXPECT_EQ(sharding.held_by(sharding.classes[1])[0], 2);
  EXPECT_EQ(placed(sharding, 0), 3 * 8);  // a part on each rank of its node
}

TEST(TableSharding, AGridCutsColumnsAndThoseOverOneNode) {
  Plan plan{};
  plan.embedding_plan = EmbeddingPlan::grid;
  // Two tables of 256 are four columns of 128: two on each of two nodes.
  const TableSharding sharding =
      sharded(tables({{.tables = 2, .rows = 1000, .dim = 256}}), plan, 16);
  EXPECT_EQ(sharding.shards[0].layout, TableLayout::by_node_rows);
  EXPECT_EQ(sharding.shards[0].rows, 125);
  EXPECT_EQ(sharding.shards[0].width, 128);
  EXPECT_EQ(sharding.shards[0].count, 4);
  ASSERT_EQ(sharding.classes.size(), 1u);
  EXPECT_EQ(sharding.held_by(sharding.classes[0])[0], 2);
}

TEST(TableSharding, OnlyTablesBelowTheThresholdAreReplicated) {
  Plan plan{};
  plan.embedding_replicate_below_gib_thousandths = 1;  // 1,073,741.8 bytes
  const TableSharding sharding = sharded(
      tables({{.tables = 1, .rows = 2097, .dim = 128}, {.tables = 1, .rows = 2098, .dim = 128}}),
      plan, 4);
  EXPECT_EQ(sharding.shards[0].layout, TableLayout::replicated);  // 1,073,664 bytes
  EXPECT_EQ(sharding.shards[1].layout, TableLayout::whole);       // 1,074,176 bytes
}

TEST(TableSharding, ReplicasAreFusedWhateverTheKernelOfOthers) {
  Plan plan{};
  plan.embedding_plan = EmbeddingPlan::data_parallel;
  plan.embedding_kernel = EmbeddingKernel::uvm;
  const TableSharding sharding = sharded(tables({{.rows = 1000, .dim = 64}}), plan, 4);
  EXPECT_EQ(sharding.shards[0].kernel, EmbeddingKernel::fused);
}

TEST(TableSharding, CopiesAreNeighboursAndDivideNodesOrFillThem) {
  struct Case {
    const char* name;
    int gpus;
    std::int64_t copies;
    std::int64_t ranks;
    std::int64_t node_ranks;
  };
  for (const Case& c :
       {Case{"one copy", 64, 1, 64, 8}, Case{"half of every node", 64, 2, 32, 4},
        Case{"one GPU of every node", 64, 8, 8, 1}, Case{"one GPU of every second", 64, 16, 4, 1},
        Case{"every GPU a copy", 64, 64, 1, 1}, Case{"less than a node", 4, 1, 4, 4},
        Case{"one node that is not full", 6, 1, 6, 6}, Case{"half of it", 6, 2, 3, 3},
        Case{"a node and a half: three groups of four", 12, 1, 12, 4},
        Case{"three nodes", 24, 4, 6, 2}}) {
    SCOPED_TRACE(c.name);
    Plan plan{};
    plan.embedding_groups = c.copies;
    const TableSharding sharding =
        sharded(tables({{.tables = 5, .rows = 1000, .dim = 64}}), plan, c.gpus);
    EXPECT_EQ(sharding.copies, c.copies);
    EXPECT_EQ(sharding.ranks, c.ranks);
    EXPECT_EQ(sharding.node_ranks, c.node_ranks);
    EXPECT_EQ(placed(sharding, 0), 5);  // within one copy
  }
}

TEST(TableSharding, EqualsTheGreedyPlacementOfOneTableAfterTheOther) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const auto pick = [&](std::uint32_t draw, std::uint64_t n) {
      return static_cast<std::int64_t>(uniform_below({seed, Purpose::test, 0, draw}, n));
    };
    const int ranks = static_cast<int>(8 * (1 + pick(0, 6)));
    Recommendation model;
    for (std::uint32_t i = 0; i < 1 + static_cast<std::uint32_t>(pick(1, 6)); ++i) {
      model.tables.push_back({.tables = 1 + pick(10 + i, 150),
                              .rows = 1000,
                              .dim = 16 * (1 + pick(20 + i, 16)),
                              .pooling = static_cast<double>(1 + pick(30 + i, 60))});
    }
    const TableSharding sharding = sharded(model, Plan{}, ranks);
    std::int64_t held = 0;
    double heaviest = 0.0;
    for (const RankClass& c : sharding.classes) {
      held += c.ranks;
      heaviest = std::max(heaviest, c.load);
    }
    EXPECT_EQ(held, ranks);
    double total = 0.0;
    std::vector<double> costs;
    for (std::size_t i = 0; i < model.tables.size(); ++i) {
      EXPECT_EQ(placed(sharding, i), model.tables[i].tables);
      // The cost of one table, read off a sharding that holds nothing else.
      const double one = sharded(tables({{.tables = 1,
                                          .rows = 1000,
                                          .dim = model.tables[i].dim,
                                          .pooling = model.tables[i].pooling}}),
                                 Plan{}, ranks)
                             .classes.back()
                             .load;
      total += one * static_cast<double>(model.tables[i].tables);
      costs.insert(costs.end(), static_cast<std::size_t>(model.tables[i].tables), one);
    }
    std::sort(costs.rbegin(), costs.rend());
    std::vector<double> loads(static_cast<std::size_t>(ranks), 0.0);
    for (const double cost : costs) {
      *std::min_element(loads.begin(), loads.end()) += cost;
    }
    EXPECT_NEAR(heaviest / *std::max_element(loads.begin(), loads.end()), 1.0, 1e-9);
    EXPECT_GE(heaviest, total / ranks * (1.0 - 1e-12));
  }
}

TEST(TableSharding, BytesThatATableStatesGoBeforeThoseOfThePlan) {
  Plan plan;
  plan.embedding_dtype = Dtype::fp16;
  EXPECT_EQ(element_bytes({.element_bytes = 1}, plan), 1.0);
  EXPECT_EQ(element_bytes({.element_bytes = 4}, plan), 4.0);
  EXPECT_EQ(element_bytes({}, plan), 2.0);
}

}  // namespace
}  // namespace cubicbench::sim
