// Blocks with experts of jobs written by hand: tokens travel to their experts and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/sim/engine/event/hand_job.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;

ExpertLeg leg(std::int64_t before, std::int64_t moves, Role role = Role::expert) {
  return {.before = ps(before), .transfers = {{"tokens", role, moving(moves)}}};
}

/// 60 of kernels, of which `experts` lie between the two ways.
BlockTimes there_and_back(std::int64_t moves, std::int64_t experts) {
  BlockTimes block = kernels_of(60);
  block.experts.legs = {leg(0, moves), leg(experts, moves)};
  return block;
}

/// Two ranks that share the experts play `block`.
std::vector<RankState> played(const BlockTimes& block,
                              const std::vector<RankTemper>& tempers = {}) {
  HandJob job;
  StageScript& stage = job.stage(2);
  stage.actions = {job.block(block)};
  job.join_all(Role::expert);
  job.join_all(Role::expert_node);
  job.join_all(Role::expert_across);
  job.join_all(Role::tensor);
  job.tempers = tempers;
  return job.played();
}

TEST(PlayerExperts, TokensGoThereAndBackAroundTheExpertsKernels) {
  struct Case {
    const char* name;
    std::int64_t moves, experts, expected;
  };
  for (const Case& c :
       {Case{"experts between", 10, 40, 60 + 20}, Case{"nothing but experts", 10, 60, 60 + 20},
        Case{"no kernels between", 10, 0, 60 + 20}}) {
    SCOPED_TRACE(c.name);
    const std::vector<RankState> ranks = played(there_and_back(c.moves, c.experts));
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::expert_communication), 2 * c.moves);
    EXPECT_EQ(sum_of_parts(ranks[0]), c.expected);
  }
}

TEST(PlayerExperts, WaysBetweenNodesAndOnThemFollowOnEachOtherOrRunSideBySide) {
  BlockTimes one_by_one = kernels_of(60);
  one_by_one.experts.legs = {leg(0, 30, Role::expert_across), leg(0, 20, Role::expert_node),
                             leg(40, 20, Role::expert_node), leg(0, 30, Role::expert_across)};
  EXPECT_EQ(played(one_by_one)[0].finish, ps(60 + 2 * (30 + 20)));
  BlockTimes pipelined = kernels_of(60);
  pipelined.experts.legs = {leg(0, 30, Role::expert_across), leg(40, 30, Role::expert_across)};
  for (ExpertLeg& way : pipelined.experts.legs) {
    way.transfers.push_back({"on the node", Role::expert_node, moving(20)});
  }
  EXPECT_EQ(played(pipelined)[0].finish, ps(60 + 2 * 30));
}

TEST(PlayerExperts, TokensOfAnotherMicroBatchTravelBesideAllKernels) {
  struct Case {
    const char* name;
    std::int64_t beside, bare, expected;
  };
  // Two ways beside 100 of kernels, one after the other; what is left of each after both.
  for (const Case& c : {Case{"kernels hide them", 50, 0, 100}, Case{"they do not", 70, 0, 140},
                        Case{"the rest waits for kernels", 30, 10, 100 + 2 * 10},
                        Case{"and for those beside them", 70, 10, 140 + 2 * 10}}) {
    SCOPED_TRACE(c.name);
    BlockTimes block = kernels_of(100);
    block.experts.beside = {leg(0, c.beside), leg(0, c.beside)};
    if (c.bare > 0) block.experts.legs = {leg(0, c.bare), leg(0, c.bare)};
    const std::vector<RankState> ranks = played(block);
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::expert_communication), c.expected - 100);
  }
}

TEST(PlayerExperts, TokensBesideTheKernelsGoBehindTheTensorGroupsTraffic) {
  BlockTimes block = kernels_of(100);
  block.hidden = moving(60);
  block.bare = moving(5);
  block.experts.beside = {leg(0, 30), leg(0, 30)};
  const std::vector<RankState> ranks = played(block);
  EXPECT_EQ(ranks[0].finish, ps(60 + 2 * 30 + 5));
  EXPECT_EQ(part_of(ranks[0], StepPart::expert_communication), 20);
}

TEST(PlayerExperts, TrafficOfTheTensorGroupRunsBesideTheExpertsAsWell) {
  BlockTimes block = there_and_back(10, 40);
  block.hidden = moving(70);
  block.bare = moving(5);
  const std::vector<RankState> ranks = played(block);
  EXPECT_EQ(ranks[0].finish, ps(60 + 20 + 5));
  EXPECT_EQ(part_of(ranks[0], StepPart::tensor_communication), 5);
}

TEST(PlayerExperts, EveryRankThatSharesTheExpertsWaitsForALateOne) {
  std::vector<RankTemper> tempers(2);
  tempers[1].late = ps(7);
  const std::vector<RankState> ranks = played(there_and_back(10, 40), tempers);
  EXPECT_EQ(ranks[0].finish, ps(7 + 60 + 20));
  EXPECT_EQ(part_of(ranks[0], StepPart::expert_communication), 7 + 2 * 10);
  EXPECT_EQ(part_of(ranks[1], StepPart::expert_communication), 2 * 10);
}

TEST(PlayerExperts, ASlowRankStretchesTheExpertsKernels) {
  std::vector<RankTemper> tempers(2);
  tempers[1].factor = 1.5;
  // 20 of kernels, then 40 between the two ways.
  EXPECT_EQ(played(there_and_back(10, 40), tempers)[0].finish, ps(30 + 10 + 60 + 10));
}

TEST(PlayerExperts, StoredExpertsComeBesideABlockOrAfterIt) {
  struct Case {
    const char* name;
    bool beside;
    std::int64_t stored, expected;
  };
  for (const Case& c :
       {Case{"hidden by the block", true, 70, 60 + 20}, Case{"or not", true, 95, 95},
        Case{"after it", false, 70, 60 + 20 + 70}, Case{"none", false, 0, 60 + 20}}) {
    SCOPED_TRACE(c.name);
    BlockTimes block = there_and_back(10, 40);
    block.stored = ps(c.stored);
    block.stored_beside = c.beside;
    const std::vector<RankState> ranks = played(block);
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::expert_storage), c.expected - 80);
  }
}

TEST(PlayerExperts, TwoStagesWhoseRanksShareExpertsInPairs) {
  // Two stages of two ranks each; a message of 5 each way. Forward 60 + 20, backward 120 + 20.
  HandJob job;
  job.step.messages.fill(moving(5));
  BlockTimes backward = kernels_of(120);
  backward.experts.legs = {leg(0, 10), leg(80, 10)};
  const Action forward = job.block(there_and_back(10, 40));
  const Action back = job.block(backward);
  job.stage(2).actions = {forward, send(0), receive(1), back};
  job.stage(2).actions = {receive(0), forward, back, send(1)};
  job.join(Role::expert, {0, 1});
  job.join(Role::expert, {2, 3});
  for (const std::uint32_t rank : {0U, 1U}) {
    job.edge(Role::forward_edge, rank, rank + 2);
    job.edge(Role::backward_edge, rank + 2, rank);
  }
  const std::int64_t last = 80 + 5 + 80 + 140;
  EXPECT_THAT(job.finishes(), ElementsAre(last + 5 + 140, last + 5 + 140, last, last));
}

}  // namespace
}  // namespace cubicbench::sim
