// Ranks that are alike are played once, and that changes no bit of the answer.
#include "sim/engine/event/folding.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/event/event_engine.h"
#include "tests/sim/engine/event/random_job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

void expect_same_answer(const EventReport& folded, const EventReport& whole) {
  EXPECT_EQ(folded.step.step, whole.step.step);
  EXPECT_EQ(folded.step.parts, whole.step.parts);
  EXPECT_EQ(folded.peak, whole.peak);
  EXPECT_EQ(folded.counts.flows, whole.counts.flows);
  EXPECT_EQ(folded.stall.waiting, whole.stall.waiting);
  EXPECT_EQ(folded.stall.failed, whole.stall.failed);
  EXPECT_LE(folded.counts.ranks, whole.counts.ranks);
  EXPECT_LE(folded.counts.events, whole.counts.events);
}

void expect_folding_is_exact(std::uint64_t seed, EventOptions options) {
  const RandomJob job = random_job(seed);
  SCOPED_TRACE(description(seed, job));
  Dice dice(seed + 1'000'000);
  options.conditions = random_conditions(job, dice);
  if (dice.once_in(5)) options.late = LateRanks{.seed = seed, .gpu_mean = 0.01};
  options.fold = true;
  const EventReport folded = job.play(options);
  options.fold = false;
  const EventReport whole = job.play(options);
  EXPECT_EQ(whole.counts.ranks, 64U);
  expect_same_answer(folded, whole);
}

constexpr std::uint64_t jobs = 288;  // every network with every placement, eight times over

TEST(Folding, ChangesNoBitWithoutLinks) {
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    expect_folding_is_exact(seed, with_contention(false));
  }
}

TEST(Folding, ChangesNoBitWithLinks) {
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    expect_folding_is_exact(seed, with_contention(true));
  }
}

/// 64 GPUs: two tensor-parallel ranks, four stages, eight replicas.
EventReport play_round(const EventOptions& options) {
  Workspace workspace;
  Cluster cluster = round_cluster(64);
  cluster.device.memory = 4096_GiB;
  return play(llama_8b(), round_plan(), cluster, round_stack(), options, workspace);
}

TEST(Folding, LeavesOneRankAStageWhereAllAreAlike) {
  EXPECT_EQ(play_round(with_contention(false)).counts.ranks, 4U);
  EXPECT_EQ(play_round(with_contention(false, false)).counts.ranks, 64U);
}

TEST(Folding, KeepsOneStageWhereThereIsNoPipeline) {
  Workspace workspace;
  Plan plan = round_plan();
  plan.pipeline_parallel = 1;
  Cluster cluster = round_cluster(64);
  cluster.device.memory = 4096_GiB;
  const EventReport report =
      play(llama_8b(), plan, cluster, round_stack(), with_contention(false), workspace);
  EXPECT_EQ(report.counts.ranks, 1U);
}

TEST(Folding, SplitsOffWhatASlowRankTells) {
  // Rank r is tensor rank r % 2 of stage r / 2 % 4 of replica r / 8. From the slow rank 0 on its
  // tensor partner is told from other partners, then by its messages every rank of its replica from
  // those of the others: 8. Who shares weights with rank 0 is told from who shares them with its
  // partner, in every stage: 2 x 4 classes for the other replicas.
  EventOptions options = with_contention(false);
  options.conditions.slow_ranks = {{0, 1.5}};
  EXPECT_EQ(play_round(options).counts.ranks, 16U);
}

TEST(Folding, ASlowRankMaySitAnywhereInItsColumn) {
  // The same stage and tensor rank, another replica: labels change, times do not.
  EventOptions options = with_contention(false);
  options.conditions.slow_ranks = {{2, 1.5}};
  const EventReport one = play_round(options);
  for (const std::int64_t rank : {4, 6, 14}) {
    options.conditions.slow_ranks = {{rank, 1.5}};
    const EventReport other = play_round(options);
    EXPECT_EQ(other.step.step, one.step.step);
    EXPECT_EQ(other.step.parts, one.step.parts);
    EXPECT_EQ(other.counts, one.counts);
  }
}

TEST(Folding, CountsForWhomAPlayerStands) {
  Workspace workspace;
  const Plan plan = round_plan();
  const Cluster cluster = round_cluster(64);
  const DeviceMesh mesh = device_mesh(plan, cluster, true);
  const JobGraph job = job_graph(transformer_shape(plan, cluster, mesh));
  std::vector<std::uint64_t> colours;
  for (const JobRank& rank : job.ranks) colours.push_back(rank.stage);
  const FoldedJob folded = fold(job, {}, colours);
  ASSERT_EQ(folded.graph.ranks.size(), 4U);
  std::uint32_t ranks = 0;
  for (const JobRank& rank : folded.graph.ranks) ranks += rank.stands_for;
  EXPECT_EQ(ranks, 64U);
  std::uint32_t communicators = 0;
  for (const Communicator& one : folded.graph.communicators) communicators += one.stands_for;
  EXPECT_EQ(communicators, job.communicators.size());
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    EXPECT_EQ(folded.graph.ranks[folded.player_of[i]].stage, job.ranks[i].stage) << i;
  }
}

TEST(Folding, KeepsApartWhoIsColouredApart) {
  JobGraph job;
  job.ranks.resize(6);
  for (JobRank& rank : job.ranks) {
    rank.communicator.fill(no_communicator);
    rank.incoming.fill(no_communicator);
  }
  const std::vector<std::uint64_t> colours{7, 7, 3, 7, 3, 9};
  const FoldedJob folded = fold(job, {}, colours);
  EXPECT_EQ(folded.player_of, (std::vector<std::uint32_t>{0, 0, 1, 0, 1, 2}));
  EXPECT_EQ(folded.graph.ranks[0].stands_for, 3U);
  EXPECT_EQ(folded.graph.ranks[2].stands_for, 1U);
}

TEST(FoldingDeathTest, WantsAColourForEveryRank) {
  JobGraph job;
  job.ranks.resize(2);
  const std::vector<std::uint64_t> colours{1};
  EXPECT_DEATH(fold(job, {}, colours), "rank_colours.size");
}

}  // namespace
}  // namespace cubicbench::sim
