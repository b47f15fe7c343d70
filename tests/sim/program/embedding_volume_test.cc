#include "sim/program/embedding_volume.h"

#include <gtest/gtest.h>

#include "sim/plan/table_sharding.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

// 512 samples a rank on 16 ranks; 20 ids a sample; fp32 tables; fp16 forward, fp32 backward.
constexpr double b = 512.0;
constexpr double w = 16.0;
constexpr double p = 20.0;

Plan volume_plan() {
  Plan plan{};
  plan.batch_per_gpu = 512;
  plan.embedding_dtype = Dtype::fp32;
  plan.forward_comm_dtype = Dtype::fp16;
  plan.backward_comm_dtype = Dtype::fp32;
  return plan;
}

/// 16 ranks on two nodes.
TableSharding two_nodes(std::int64_t copies = 1) {
  TableSharding sharding;
  sharding.copies = copies;
  sharding.ranks = 16;
  sharding.node_ranks = 8;
  return sharding;
}

/// Of a table of 1,000 rows.
TableShards shards(TableLayout layout, std::int64_t rows, std::int64_t width, bool pooled = true) {
  return {.layout = layout,
          .count = 1,
          .rows = rows,
          .width = width,
          .pooling = p,
          .pooled = pooled,
          .access = {.rows = 1000.0}};
}

EmbeddingVolume volume_of(const TableShards& table, const Plan& plan = volume_plan()) {
  return embedding_volume(table, plan, two_nodes());
}

Bytes traffic_of_lookup(const TableShards& table) {
  return lookup_traffic(table, volume_plan(), volume_of(table));
}

/// Of 163,840 draws practically all rows are asked for.
double distinct() { return distinct_rows({.rows = 1000.0}, p * b * w); }

TEST(EmbeddingVolume, IsThatOfTorchRecsEstimator) {
  struct Case {
    const char* name;
    TableShards shards;
    double ids;
    double sent;      // elements in an all-to-all
    double received;  // elements of it, by every rank
    double node;      // elements reduced and scattered in the node
    double all;       // elements reduced and scattered over all ranks
    double rows;      // bytes
    double reduced;   // bytes
  };
  const Case cases[] = {
      {"table-wise, 128 wide", shards(TableLayout::whole, 1000, 128), 8 * p * b * w, b * w * 128,
       b * 128, 0, 0, p * b * w * 128 * 4, 0},
      {"a column shard of 64", shards(TableLayout::whole, 1000, 64), 8 * p * b * w, b * w * 64,
       b * 64, 0, 0, p * b * w * 64 * 4, 0},
      {"a narrow row reads 32 elements", shards(TableLayout::whole, 1000, 8), 8 * p * b * w,
       b * w * 8, b * 8, 0, 0, p * b * w * 32 * 4, 0},
      {"rows of a node: an eighth of the ids, sums in the node, an eighth of them to its peers",
       shards(TableLayout::by_node_rows, 125, 128), p * b * w, b * w * 128 / 8, b * 128,
       b * w * 128, 0, p * b * w * 128 * 4 / 8, 0},
      {"row-wise: a share of the ids, all of the output", shards(TableLayout::by_rows, 63, 128),
       8 * p * b, 0, 0, 0, b * w * 128, p * b * 128 * 4, 0},
      {"replicated: only the table's gradient", shards(TableLayout::replicated, 1000, 128),
       8 * p * b, 0, 0, 0, 0, p * b * 128 * 4, 1000 * 128 * 4},
      {"not pooled: a row an id", shards(TableLayout::whole, 1000, 128, false), 8 * p * b * w,
       b * w * p * 128, b * p * 128, 0, 0, p * b * w * 128 * 4, 0},
      {"nor by rows of a node: each rank sends the rows it has",
       shards(TableLayout::by_node_rows, 125, 128, false), p * b * w, b * w * p * 128 / 8,
       b * p * 128, 0, 0, p * b * w * 128 * 4 / 8, 0},
      {"nor by rows of all", shards(TableLayout::by_rows, 63, 128, false), 8 * p * b, b * p * 128,
       b * p * 128, 0, 0, p * b * 128 * 4, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const EmbeddingVolume volume = volume_of(c.shards);
    EXPECT_DOUBLE_EQ(volume.ids.value, c.ids);
    EXPECT_DOUBLE_EQ(volume.sent_forward.value, 2 * c.sent);
    EXPECT_DOUBLE_EQ(volume.sent_backward.value, 4 * c.sent);
    EXPECT_DOUBLE_EQ(volume.received_forward.value, 2 * c.received);
    EXPECT_DOUBLE_EQ(volume.received_backward.value, 4 * c.received);
    EXPECT_DOUBLE_EQ(volume.node_forward.value, 2 * c.node);
    EXPECT_DOUBLE_EQ(volume.node_backward.value, 4 * c.node);
    EXPECT_DOUBLE_EQ(volume.scattered.value, 2 * c.all);
    EXPECT_DOUBLE_EQ(volume.gathered.value, 4 * c.all);
    EXPECT_DOUBLE_EQ(volume.copied.value, 2.455 * 4 * c.all);
    EXPECT_DOUBLE_EQ(volume.rows.value, c.rows);
    EXPECT_DOUBLE_EQ(volume.reduced.value, c.reduced);
    EXPECT_EQ(volume.fetched.value, 0.0);
    EXPECT_EQ(volume.averaged.value, 0.0);
  }
}

TEST(EmbeddingVolume, OfAnExchangeIsSentAndReceivedByAsMany) {
  // What owners send is what all ranks receive: one owner, eight on a node, or sixteen.
  for (const bool pooled : {true, false}) {
    const EmbeddingVolume whole = volume_of(shards(TableLayout::whole, 1000, 128, pooled));
    EXPECT_DOUBLE_EQ(whole.sent_forward.value, w * whole.received_forward.value);
    const EmbeddingVolume node = volume_of(shards(TableLayout::by_node_rows, 125, 128, pooled));
    EXPECT_DOUBLE_EQ(8 * node.sent_forward.value, w * node.received_forward.value);
  }
  const EmbeddingVolume rows = volume_of(shards(TableLayout::by_rows, 63, 128, false));
  EXPECT_DOUBLE_EQ(rows.sent_forward.value, rows.received_forward.value);
}

TEST(EmbeddingVolume, OfAnUpdateIsGradientsOfIdsAndEveryDistinctRowTwice) {
  Plan plan = volume_plan();
  plan.embedding_optimizer = Optimizer::rowwise_adagrad;
  const double gradients = p * b * w * 128 * 4;
  const double rows = distinct() * 2 * (128 * 4 + 4);  // read and written, with 4 bytes of state
  EXPECT_NEAR(distinct(), 1000.0, 0.1);
  EXPECT_DOUBLE_EQ(volume_of(shards(TableLayout::whole, 1000, 128), plan).updated.value,
                   gradients + rows);
  EXPECT_DOUBLE_EQ(volume_of(shards(TableLayout::by_node_rows, 125, 128), plan).updated.value,
                   (gradients + rows) / 8);
  EXPECT_DOUBLE_EQ(volume_of(shards(TableLayout::by_rows, 63, 128), plan).updated.value,
                   (gradients + rows) / 16);
  plan.embedding_optimizer = Optimizer::adam;  // two fp32 moments an element
  EXPECT_DOUBLE_EQ(volume_of(shards(TableLayout::whole, 1000, 128), plan).updated.value,
                   gradients + distinct() * 2 * (128 * 4 + 128 * 8));
}

TEST(EmbeddingVolume, InHostMemoryGoesOverTheHostLink) {
  Plan plan = volume_plan();
  plan.embedding_optimizer = Optimizer::sgd;
  TableShards table = shards(TableLayout::whole, 1000, 128);
  const double read = p * b * w * 128 * 4;
  const double update = distinct() * 2 * 128 * 4;
  const EmbeddingVolume fused = volume_of(table, plan);
  table.kernel = EmbeddingKernel::uvm;
  const EmbeddingVolume uvm = volume_of(table, plan);
  EXPECT_EQ(uvm.rows.value, 0.0);
  EXPECT_DOUBLE_EQ(uvm.fetched.value, read + update);
  EXPECT_DOUBLE_EQ(uvm.updated.value + update, fused.updated.value);  // gradients stay
  EXPECT_EQ(uvm.ids, fused.ids);
  EXPECT_EQ(uvm.sent_forward, fused.sent_forward);
}

TEST(EmbeddingVolume, OfACacheIsWhatItLacks) {
  Plan plan = volume_plan();
  plan.embedding_optimizer = Optimizer::sgd;
  TableShards table = shards(TableLayout::whole, 1'000'000'000, 128);
  table.access = {.rows = 1e9};
  table.kernel = EmbeddingKernel::uvm_caching;
  table.misses = 0.75;
  // All rows alike: three in four of 163,840 ids miss, nearly all of them different rows.
  EmbeddingVolume volume = volume_of(table, plan);
  EXPECT_NEAR(volume.fetched.value / (0.75 * p * b * w * 2 * 128 * 4), 1.0, 1e-3);
  // Of 1,000 rows the 800 that are not cached are fetched at most once.
  table.rows = 1000;
  table.access = {.rows = 1000.0};
  volume = volume_of(table, plan);
  EXPECT_DOUBLE_EQ(volume.fetched.value, 800 * 2 * 128 * 4);
  // Read from the device all the same, where they are written first.
  EXPECT_DOUBLE_EQ(volume.rows.value, p * b * w * 128 * 4 + 800 * 2 * 128 * 4);
  // Everything is cached.
  table.misses = 0.0;
  EXPECT_EQ(volume_of(table, plan).fetched.value, 0.0);
}

TEST(EmbeddingVolume, OfCopiesIsAveragedWithItsState) {
  Plan plan = volume_plan();
  plan.embedding_optimizer = Optimizer::rowwise_adagrad;
  for (const TableLayout layout :
       {TableLayout::whole, TableLayout::by_node_rows, TableLayout::by_rows}) {
    const TableShards table = shards(layout, 125, 128);
    EXPECT_EQ(embedding_volume(table, plan, two_nodes(4)).averaged.value, 125 * (128 * 4 + 4));
  }
  // All ranks reduce a replica's gradients, whatever copy they are of.
  const TableShards replica = shards(TableLayout::replicated, 1000, 128);
  EXPECT_EQ(embedding_volume(replica, plan, two_nodes(4)).averaged.value, 0.0);
}

TEST(EmbeddingVolume, OfPartsIsThatOfTablesWithAsManyIdsFewer) {
  // Two parts of 500 rows and 10 ids each: rows and ids halve, what is sent does not.
  TableShards part = shards(TableLayout::whole, 500, 128);
  part.parts = part.count = 2;
  part.pooling = p / 2;
  const EmbeddingVolume half = volume_of(part);
  const EmbeddingVolume whole = volume_of(shards(TableLayout::whole, 1000, 128));
  EXPECT_DOUBLE_EQ(2 * half.ids.value, whole.ids.value);
  EXPECT_DOUBLE_EQ(2 * half.rows.value, whole.rows.value);
  EXPECT_DOUBLE_EQ(2 * half.updated.value, whole.updated.value);
  EXPECT_EQ(half.sent_forward, whole.sent_forward);
}

TEST(EmbeddingVolume, QuantisedOutputTravelsInAByte) {
  Plan plan = volume_plan();
  plan.forward_comm_dtype = Dtype::fp8;
  const EmbeddingVolume volume = volume_of(shards(TableLayout::whole, 1000, 128), plan);
  EXPECT_DOUBLE_EQ(volume.sent_forward.value, b * w * 128);
}

TEST(LookupTraffic, IsInputRowsAndOutputTimesTheBlockPenaltyOfWholeShards) {
  struct Case {
    std::int64_t width;
    double penalty;
  };
  for (const Case& c : {Case{256, 1.0}, Case{128, 1.0}, Case{96, 1.15}, Case{64, 1.15},
                        Case{63, 1.75}, Case{32, 1.75}}) {
    const auto d = static_cast<double>(c.width);
    const double moved = 8 * p * b * w + p * b * w * d * 4 + b * w * d * 2;
    EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::whole, 1000, c.width)).value,
                     c.penalty * moved)
        << c.width;
  }
}

TEST(LookupTraffic, OfOtherLayoutsHasThePenaltyUnlessReplicated) {
  constexpr double narrow = 1.75;
  const double read = 8 * p * b + p * b * 48 * 4;
  EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::by_rows, 63, 48)).value,
                   narrow * (read + b * w * 48 * 2));
  EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::replicated, 1000, 48)).value,
                   read + b * 48 * 4);
  // Two ranks' worth of ids and rows, the whole sums of the node.
  EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::by_node_rows, 125, 48)).value,
                   narrow * (2 * read + b * w * 48 * 2));
}

TEST(EmbeddingMemory, IsExactToTheByte) {
  struct Case {
    Optimizer optimizer;
    Dtype dtype;
    double weights;
    double state;
  };
  // 1,234,567 rows of 96 elements.
  constexpr double elements = 1'234'567.0 * 96.0;
  for (const Case& c :
       {Case{Optimizer::sgd, Dtype::fp32, 4 * elements, 0.0},
        Case{Optimizer::rowwise_adagrad, Dtype::fp32, 4 * elements, 4 * 1'234'567.0},
        Case{Optimizer::adam, Dtype::fp16, 2 * elements, 8 * elements},
        Case{Optimizer::adamw, Dtype::bf16, 2 * elements, 8 * elements}}) {
    Plan plan = volume_plan();
    plan.embedding_optimizer = c.optimizer;
    TableShards table = shards(TableLayout::whole, 1'234'567, 96);
    table.element_bytes = storage_bytes(c.dtype);
    EXPECT_EQ(shard_weights(table, plan), c.weights);
    EXPECT_EQ(shard_state(table, plan), c.state);
  }
}

}  // namespace
}  // namespace cubicbench::sim
