// Communication streams of ranks of jobs written by hand, and what they cost the compute beside
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "tests/sim/engine/event/dice.h"
#include "tests/sim/engine/event/hand_job.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;

/// Two ranks with `compute` of kernels beside a collective of `moves`, then wait for it.
HandJob side_by_side(std::int64_t compute, std::int64_t moves, double x, bool slows) {
  HandJob job;
  job.step.overlap_cost = x;
  StageScript& stage = job.stage(2);
  job.operation(stage, AsyncStream::weights, moving(moves), {.slows = slows});
  stage.actions = {issue(AsyncStream::weights), job.block(kernels_of(compute)),
                   await(AsyncStream::weights, 1)};
  job.join_all(Role::shard);
  return job;
}

TEST(PlayerStreams, ComputeAndTrafficThatShareADeviceSlowEachOther) {
  // Both at 1 / (1 + x) while both run, then the longer at full speed:
  // max(c, m) + x min(c, m).
  struct Case {
    const char* name;
    std::int64_t c, m;
    double x;
    std::int64_t expected;
  };
  for (const Case& c : {Case{"compute-bound", 1'000'000, 400'000, 0.5, 1'000'000 + 200'000},
                        Case{"traffic-bound", 400'000, 1'000'000, 0.5, 1'000'000 + 200'000},
                        // Traffic alone would end before the kernels, slowed after them.
                        Case{"nearly equal", 1'000'000, 900'000, 0.5, 1'000'000 + 450'000},
                        Case{"nearly equal, traffic-bound", 900'000, 1'000'000, 0.5, 1'450'000},
                        Case{"one after the other", 700'000, 300'000, 1.0, 1'000'000},
                        Case{"free", 700'000, 300'000, 0.0, 700'000},
                        Case{"no traffic", 700'000, 0, 0.5, 700'000}}) {
    SCOPED_TRACE(c.name);
    const std::vector<RankState> ranks = side_by_side(c.c, c.m, c.x, true).played();
    // A picosecond for each of the times that are rounded: two debts, each scheduled anew.
    EXPECT_NEAR(static_cast<double>(ranks[0].finish.count()), static_cast<double>(c.expected), 2.0);
    EXPECT_EQ(sum_of_parts(ranks[0]), ranks[0].finish.count());
    EXPECT_EQ(part_of(ranks[0], StepPart::gemm), c.c);
  }
}

TEST(PlayerStreams, TrafficThatSlowsNothingIsHiddenByTheLonger) {
  EXPECT_THAT(side_by_side(1000, 400, 0.5, false).finishes(), ElementsAre(1000, 1000));
  EXPECT_THAT(side_by_side(400, 1000, 0.5, false).finishes(), ElementsAre(1000, 1000));
}

TEST(PlayerStreams, OnlyTheKernelsBesideTrafficAreSlowed) {
  // A block of 300,000 alone; then 1,000,000 beside 200,000 of traffic at x = 1/2.
  HandJob job;
  job.step.overlap_cost = 0.5;
  StageScript& stage = job.stage(2);
  job.operation(stage, AsyncStream::weights, moving(200'000), {.slows = true});
  stage.actions = {job.block(kernels_of(300'000)), issue(AsyncStream::weights),
                   job.block(kernels_of(1'000'000)), await(AsyncStream::weights, 1)};
  job.join_all(Role::shard);
  EXPECT_NEAR(static_cast<double>(job.finishes()[0]), 300'000 + 1'000'000 + 100'000, 2.0);
}

TEST(PlayerStreams, OperationsOfAStreamRunInOrderAndStreamsBesideEachOther) {
  HandJob job;
  StageScript& stage = job.stage(2);
  job.operation(stage, AsyncStream::weights, moving(100));
  job.operation(stage, AsyncStream::weights, moving(50));
  job.operation(stage, AsyncStream::input, moving(120), {.role = Role::input});
  stage.actions = {issue(AsyncStream::weights),   issue(AsyncStream::weights),
                   issue(AsyncStream::input),     await(AsyncStream::weights, 1),
                   job.block(kernels_of(5)),      await(AsyncStream::input, 1),
                   await(AsyncStream::weights, 2)};
  job.join_all(Role::shard);
  job.join_all(Role::input);
  const std::vector<RankState> ranks = job.played();
  // 100 for the first, 5 of kernels, until 120 for the input, until 150 for the second.
  EXPECT_EQ(ranks[0].finish, ps(150));
  EXPECT_EQ(part_of(ranks[0], StepPart::data_communication), 100 + 30);
  EXPECT_EQ(part_of(ranks[0], StepPart::input), 15);
}

TEST(PlayerStreams, AnOperationMayHandOnToAnotherStream) {
  // A scatter of 100 in the node, then a reduction of 70 between copies; the next scatter beside
  // it.
  HandJob job;
  StageScript& stage = job.stage(2);
  const auto copies = static_cast<std::int8_t>(AsyncStream::copies);
  job.operation(stage, AsyncStream::weights, moving(100), {.then = copies});
  job.operation(stage, AsyncStream::weights, moving(100), {.then = copies});
  job.operation(stage, AsyncStream::copies, moving(70), {.role = Role::replicate});
  job.operation(stage, AsyncStream::copies, moving(70), {.role = Role::replicate});
  stage.actions = {issue(AsyncStream::weights), issue(AsyncStream::weights),
                   await(AsyncStream::copies, 2)};
  job.join_all(Role::shard);
  job.join_all(Role::replicate);
  EXPECT_THAT(job.finishes(), ElementsAre(2 * 100 + 70, 2 * 100 + 70));
}

TEST(PlayerStreams, ACopyOfARankAloneWaitsForNobody) {
  HandJob job;
  StageScript& stage = job.stage(2);
  Transfer copy = moving(100);
  copy.bytes = {};
  job.operation(stage, AsyncStream::input, copy, {.role = Role::input});
  stage.actions = {issue(AsyncStream::input), await(AsyncStream::input, 1)};
  job.join_all(Role::input);
  job.tempers.resize(2);
  job.tempers[1].late = ps(1000);
  EXPECT_THAT(job.finishes(), ElementsAre(100, 1100));
}

TEST(PlayerStreams, OperationsWithoutTimeAreDoneAtOnce) {
  HandJob job;
  StageScript& stage = job.stage(2);
  job.operation(stage, AsyncStream::weights, Transfer{});
  stage.actions = {issue(AsyncStream::weights), await(AsyncStream::weights, 1),
                   job.block(kernels_of(7))};
  EXPECT_THAT(job.finishes(), ElementsAre(7, 7));
}

Transfer random_transfer(Dice& dice) {
  return dice.below(4) == 0 ? Transfer{} : moving(dice.below(1'000'000), dice.below(10'000));
}

/// What four ranks of one stage do: all the same, in any order that waits only for what was issued.
HandJob random_job(std::uint64_t seed) {
  Dice dice(seed);
  HandJob job;
  job.step.overlap_cost = 0.25 * static_cast<double>(dice.below(5));
  job.step.host_smoothness = 8.0;
  StageScript& stage = job.stage(4);
  stage.pauses = {{"update", ps(dice.below(50'000)), StepPart::optimizer}};
  job.join_all(Role::tensor);
  job.join_all(Role::shard);
  job.join_all(Role::replicate);
  std::array<std::int32_t, 2> issued{};
  for (int i = 0; i < 40; ++i) {
    const auto which = static_cast<std::size_t>(dice.below(2));
    const auto stream = static_cast<AsyncStream>(which);
    switch (dice.below(5)) {
      case 0:
        job.operation(
            stage, stream, random_transfer(dice),
            {.role = which == 0 ? Role::shard : Role::replicate, .slows = dice.below(2) == 0});
        stage.actions.push_back(issue(stream));
        ++issued[which];
        break;
      case 1:
        stage.actions.push_back(await(stream, issued[which]));
        break;
      case 2:
        stage.actions.push_back(pause());
        break;
      default: {
        BlockTimes block = kernels_of(dice.below(1'000'000));
        block.host = ps(dice.below(2) * dice.below(1'000'000));
        block.hidden = random_transfer(dice);
        block.bare = random_transfer(dice);
        stage.actions.push_back(job.block(block));
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    job.tempers.push_back({.late = ps(dice.below(2) * dice.below(1'000'000))});
  }
  return job;
}

TEST(PlayerStreams, PartsOfEveryRankSumToItsTime) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (const RankState& rank : random_job(seed).played()) {
      ASSERT_EQ(rank.phase, RankPhase::done);
      EXPECT_EQ(sum_of_parts(rank), rank.finish.count());
    }
  }
}

TEST(PlayerStreams, ALateRankNeverMakesAStepShorterWhereTrafficIsFree) {
  // With x > 0 it may: traffic that comes later slows other kernels, or none.
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    HandJob job = random_job(seed);
    job.step.overlap_cost = 0.0;
    const std::vector<std::int64_t> late = job.finishes();
    job.tempers.clear();
    const std::vector<std::int64_t> ideal = job.finishes();
    for (std::size_t i = 0; i < late.size(); ++i) EXPECT_GE(late[i], ideal[i]) << i;
  }
}

}  // namespace
}  // namespace cubicbench::sim
