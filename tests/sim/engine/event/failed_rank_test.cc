// Ranks that stop for good: the step ends with who waits, never with a hang.
#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/event/event_engine.h"
#include "tests/sim/engine/event/random_job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

Transformer small_model() {
  Transformer model = llama_8b();
  model.layers = 4;
  return model;
}

/// Eight GPUs: pipeline x tensor x data parallelism of two each.
Plan eight_gpus() {
  Plan plan;
  plan.tensor_parallel = 2;
  plan.pipeline_parallel = 2;
  plan.global_batch = 8;
  return plan;
}

EventReport play_small(const Plan& plan, int gpus, const EventOptions& options) {
  Workspace workspace;
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = 4096_GiB;
  return play(small_model(), plan, cluster, round_stack(), options, workspace);
}

TEST(FailedRank, EndsWithAStallWhoeverFailsAndWhenever) {
  std::uint64_t stalls = 0;
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(testing::Message() << "rank " << rank << ", seed " << seed);
      Dice dice(100 * static_cast<std::uint64_t>(rank) + seed);
      EventOptions options = with_contention(dice.once_in(2), dice.once_in(2));
      const Seconds end = play_small(eight_gpus(), 8, options).step.step;
      const Seconds at = dice.share() * end;
      options.conditions.failed_ranks = {{rank, at}};
      const EventReport report = play_small(eight_gpus(), 8, options);
      if (!report.stall) {
        EXPECT_EQ(report.step.step, end);  // it was done before
        continue;
      }
      EXPECT_EQ(report.stall.failed, 1);
      EXPECT_EQ(report.stall.failed_rank, rank);
      stalls += report.stall.waiting > 0 ? 1 : 0;
      EXPECT_LE(report.stall.waiting, 7);
      EXPECT_EQ(report.step.step, Seconds{});
    }
  }
  // Nobody waits for those that fail in their update.
  EXPECT_GT(stalls, 8U * 40U / 2U);
}

TEST(FailedRank, AtTheStartLeavesAllOthersWaiting) {
  EventOptions options;
  options.conditions.failed_ranks = {{3, {}}};
  const EventReport report = play_small(eight_gpus(), 8, options);
  EXPECT_EQ(report.stall.failed_rank, 3);
  EXPECT_EQ(report.stall.waiting, 7);
}

TEST(FailedRank, WhenAllFailNobodyWaitsAndTheStepHasNoTime) {
  const Seconds end = play_small(eight_gpus(), 8, {}).step.step;
  for (const bool fold : {true, false}) {
    EventOptions options = with_contention(true, fold);
    for (std::int64_t rank = 0; rank < 8; ++rank) {
      options.conditions.failed_ranks.push_back({rank, 0.5 * end});
    }
    const EventReport report = play_small(eight_gpus(), 8, options);
    EXPECT_EQ(report.stall.failed, 8);
    EXPECT_EQ(report.stall.waiting, 0);
    EXPECT_EQ(report.step.step, Seconds{});
    EXPECT_EQ(report.step.parts, decltype(report.step.parts){});
  }
}

TEST(FailedRank, InItsUpdateLetsAllOthersFinish) {
  EventOptions options;
  const Seconds end = play_small(eight_gpus(), 8, options).step.step;
  options.conditions.failed_ranks = {{0, end - Seconds{1e-12}}};
  const EventReport report = play_small(eight_gpus(), 8, options);
  EXPECT_EQ(report.stall.failed, 1);
  EXPECT_EQ(report.stall.waiting, 0);
}

TEST(FailedRank, AfterTheStepChangesNothing) {
  EventOptions options;
  const EventReport whole = play_small(eight_gpus(), 8, options);
  options.conditions.failed_ranks = {{3, 2.0 * whole.step.step}};
  const EventReport report = play_small(eight_gpus(), 8, options);
  EXPECT_FALSE(report.stall);
  EXPECT_EQ(report.step.step, whole.step.step);
  EXPECT_EQ(report.step.parts, whole.step.parts);
}

TEST(FailedRank, IsNoPartOfTheSmallestJobThereIs) {
  Plan plan;  // one GPU, one micro-batch
  plan.global_batch = 1;
  for (const bool contention : {false, true}) {
    const EventReport report = play_small(plan, 1, with_contention(contention));
    EXPECT_GT(report.step.step.value, 0.0);
    EXPECT_EQ(report.counts.ranks, 1U);
    EXPECT_EQ(report.counts.flows, 0U);
    EventOptions options = with_contention(contention);
    options.conditions.failed_ranks = {{0, 0.5 * report.step.step}};
    EXPECT_EQ(play_small(plan, 1, options).stall.failed, 1);
  }
}

}  // namespace
}  // namespace cubicbench::sim
