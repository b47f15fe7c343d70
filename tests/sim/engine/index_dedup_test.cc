// Tables whose rows are not pooled, asked once for each row.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/engine/repeated_recommendation.h"
#include "sim/program/embedding_volume.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

// 512 samples a rank on 16 ranks, 20 ids a sample, rows of 128: 10,240 ids of a rank.
constexpr double ids = 512.0 * 20.0;
constexpr double width = 128.0;

Plan plan_of(bool once) {
  Plan plan{};
  plan.batch_per_gpu = 512;
  plan.forward_comm_dtype = Dtype::fp16;
  plan.backward_comm_dtype = Dtype::fp32;
  plan.index_dedup = once;
  return plan;
}

EmbeddingVolume volume_of(TableLayout layout, double rows, bool pooled, bool once) {
  TableSharding sharding;
  sharding.ranks = 16;
  sharding.node_ranks = 8;
  const TableShards shards{.layout = layout,
                           .count = 1,
                           .rows = 63,
                           .width = 128,
                           .pooling = 20.0,
                           .pooled = pooled,
                           .access = {.rows = rows}};
  return embedding_volume(shards, plan_of(once), sharding);
}

// Of 1,000 rows alike 10,240 ids ask for 1,000 (1 - e^-10.24).
TEST(IndexDedup, SendsAndReadsEachRowOnceARank) {
  const double asked = 1000.0 * (1.0 - std::exp(-10.24)) / ids;
  const EmbeddingVolume all = volume_of(TableLayout::by_rows, 1000.0, false, false);
  const EmbeddingVolume once = volume_of(TableLayout::by_rows, 1000.0, false, true);
  EXPECT_NEAR(once.asked, asked, 1e-9);
  EXPECT_NEAR(once.ids.value, asked * 8.0 * ids, 1e-3);
  EXPECT_NEAR(once.rows.value, asked * ids * width * 4.0, 1e-3);
  EXPECT_NEAR(once.sent_forward.value, asked * ids * width * 2.0, 1e-3);
  EXPECT_NEAR(once.sent_backward.value, asked * ids * width * 4.0, 1e-3);
  EXPECT_NEAR(once.received_forward.value, once.sent_forward.value, 1e-3);
  // Fewer gradients arrive; as many rows are updated.
  EXPECT_NEAR(all.updated.value - once.updated.value, (1.0 - asked) * ids * width * 4.0, 1e-2);
  // Ids and their positions go eight times through memory; each row is read once and written for
  // every id, and gradients the other way.
  EXPECT_NEAR(once.unique.value, ids * (8.0 + 16.0 * 16.0) + (1.0 + asked) * ids * width * 2.0,
              1e-2);
  EXPECT_NEAR(once.summed.value, (1.0 + asked) * ids * width * 4.0, 1e-2);
}

TEST(IndexDedup, LeavesPooledAndReplicatedTablesAsTheyAre) {
  const auto same = [](const EmbeddingVolume& a, const EmbeddingVolume& b) {
    return a.ids == b.ids && a.rows == b.rows && a.updated == b.updated &&
           a.sent_forward == b.sent_forward && a.sent_backward == b.sent_backward &&
           a.scattered == b.scattered && b.unique == Bytes{} && b.summed == Bytes{};
  };
  for (const TableLayout layout :
       {TableLayout::whole, TableLayout::by_node_rows, TableLayout::by_rows}) {
    EXPECT_TRUE(
        same(volume_of(layout, 1000.0, true, false), volume_of(layout, 1000.0, true, true)));
  }
  EXPECT_TRUE(same(volume_of(TableLayout::replicated, 1000.0, false, false),
                   volume_of(TableLayout::replicated, 1000.0, false, true)));
}

TEST(IndexDedup, OfIdsThatAllDifferCostsItsKernelsAlone) {
  for (const TableLayout layout :
       {TableLayout::whole, TableLayout::by_node_rows, TableLayout::by_rows}) {
    const EmbeddingVolume all = volume_of(layout, 1e13, false, false);
    const EmbeddingVolume once = volume_of(layout, 1e13, false, true);
    EXPECT_NEAR(once.ids / all.ids, 1.0, 1e-6);
    EXPECT_NEAR(once.rows / all.rows, 1.0, 1e-6);
    EXPECT_NEAR(once.updated / all.updated, 1.0, 1e-6);
    EXPECT_NEAR(once.sent_forward / all.sent_forward, 1.0, 1e-6);
    EXPECT_GT(once.unique, Bytes{});
    EXPECT_GT(once.summed, Bytes{});
  }
}

/// Of a catalogue with a long tail.
RecommendationJob histories(double skew) {
  RecommendationJob job;
  job.model.tables[0].skew = skew;
  return job;
}

StepReport run(const RecommendationJob& job) {
  Workspace workspace;
  const StepReport report = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report;
}

// The more ids repeat the more it saves of the exchange, and of the step.
TEST(IndexDedup, SavesMoreTheMoreIdsRepeat) {
  double before = 1.0;
  for (const double skew : {0.0, 0.8, 1.2}) {
    RecommendationJob job = histories(skew);
    Workspace workspace;
    const auto sent = [&] {
      evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
      return workspace.recommendation.load.traffic.sent_forward;
    };
    const Bytes all = sent();
    const Seconds step = run(job).step;
    job.plan.index_dedup = true;
    const double share = sent() / all;
    EXPECT_LT(share, before);
    before = share;
    if (skew > 1.0) {
      EXPECT_LT(run(job).step, step);
    }
  }
  EXPECT_LT(before, 0.5);
}

TEST(IndexDedup, OfBothEnginesAndOfRepeatedStepsIsTheSame) {
  for (const double skew : {0.0, 1.0}) {
    for (const InputPipeline pipeline : {InputPipeline::none, InputPipeline::pipelined}) {
      RecommendationJob job = histories(skew);
      job.plan.input_pipeline = pipeline;
      RepeatedRecommendation repeated(job.model, job.cluster, job.stack);
      for (const bool once : {false, true, false, true}) {
        job.plan.index_dedup = once;
        const StepReport closed = run(job);
        EXPECT_EQ(repeated.evaluate(job.plan).step.value, closed.step.value);
        Workspace workspace;
        EventOptions alone;
        alone.contention = false;
        const EventReport events =
            play(job.model, job.plan, job.cluster, job.stack, alone, workspace);
        EXPECT_NEAR(events.step.step / closed.step, 1.0, 0.01);
        EXPECT_EQ(events.step.memory.allocated, closed.memory.allocated);
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
