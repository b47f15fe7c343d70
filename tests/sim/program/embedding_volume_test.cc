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

TableShards shards(TableLayout layout, std::int64_t rows, std::int64_t width) {
  return {.layout = layout, .count = 1, .columns = 1, .rows = rows, .width = width, .pooling = p};
}

Bytes traffic_of_lookup(const TableShards& table) {
  return lookup_traffic(table, volume_plan(), embedding_volume(table, volume_plan(), 16));
}

TEST(EmbeddingVolume, IsThatOfTorchRecsEstimator) {
  struct Case {
    const char* name;
    TableShards shards;
    double ids;
    double forward;
    double backward;
    double rows;
    double copied;
    double reduced;
  };
  const Case cases[] = {
      {"table-wise, 128 wide", shards(TableLayout::whole, 1000, 128), 8 * p * b * w,
       b * w * 128 * 2, b * w * 128 * 4, p * b * w * 128 * 4, 0, 0},
      {"a column shard of 64", shards(TableLayout::whole, 1000, 64), 8 * p * b * w, b * w * 64 * 2,
       b * w * 64 * 4, p * b * w * 64 * 4, 0, 0},
      {"a narrow row reads 32 elements", shards(TableLayout::whole, 1000, 8), 8 * p * b * w,
       b * w * 8 * 2, b * w * 8 * 4, p * b * w * 32 * 4, 0, 0},
      {"row-wise: a share of the ids, all of the output", shards(TableLayout::by_rows, 1000, 128),
       8 * p * b, b * w * 128 * 2, b * w * 128 * 4, p * b * 128 * 4, 2.455 * b * w * 128 * 4, 0},
      {"replicated: only the table's gradient", shards(TableLayout::replicated, 1000, 128),
       8 * p * b, 0, 0, p * b * 128 * 4, 0, 1000 * 128 * 4},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const EmbeddingVolume volume = embedding_volume(c.shards, volume_plan(), 16);
    EXPECT_DOUBLE_EQ(volume.ids.value, c.ids);
    EXPECT_DOUBLE_EQ(volume.forward.value, c.forward);
    EXPECT_DOUBLE_EQ(volume.backward.value, c.backward);
    EXPECT_DOUBLE_EQ(volume.rows.value, c.rows);
    EXPECT_DOUBLE_EQ(volume.copied.value, c.copied);
    EXPECT_DOUBLE_EQ(volume.reduced.value, c.reduced);
  }
}

TEST(EmbeddingVolume, QuantisedOutputTravelsInAByte) {
  Plan plan = volume_plan();
  plan.forward_comm_dtype = Dtype::fp8;
  const EmbeddingVolume volume = embedding_volume(shards(TableLayout::whole, 1000, 128), plan, 16);
  EXPECT_DOUBLE_EQ(volume.forward.value, b * w * 128);
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

TEST(LookupTraffic, OfOtherLayoutsHasNoPenalty) {
  const double read = 8 * p * b + p * b * 48 * 4;
  EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::by_rows, 1000, 48)).value,
                   read + b * w * 48 * 2);
  EXPECT_DOUBLE_EQ(traffic_of_lookup(shards(TableLayout::replicated, 1000, 48)).value,
                   read + b * 48 * 4);
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
    plan.embedding_dtype = c.dtype;
    const TableShards table = shards(TableLayout::whole, 1'234'567, 96);
    EXPECT_EQ(embedding_weights(table, plan).value, c.weights);
    EXPECT_EQ(embedding_state(table, plan).value, c.state);
  }
}

}  // namespace
}  // namespace cubicbench::sim
