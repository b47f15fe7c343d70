// Ranks of jobs written by hand: blocks, messages, passes, and what is wrong with a rank.
#include "sim/engine/event/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/sim/engine/event/hand_job.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;

TEST(Player, ARankAloneTakesTheTimeOfItsKernels) {
  HandJob job;
  StageScript& stage = job.stage(1);
  stage.actions = {job.block(kernels_of(100)), job.block(kernels_of(30))};
  EXPECT_THAT(job.finishes(), ElementsAre(130));
}

TEST(Player, ACollectiveBeginsWithItsLastMember) {
  HandJob job;
  BlockTimes early = kernels_of(100);
  BlockTimes late = kernels_of(300);
  early.bare = late.bare = moving(40, 10);
  StageScript& first = job.stage(1);
  first.actions = {job.block(early)};
  StageScript& second = job.stage(1);
  second.actions = {job.block(late)};
  job.join_all(Role::tensor);
  const std::vector<RankState> ranks = job.played();
  EXPECT_EQ(ranks[0].finish, ps(300 + 10 + 40));
  EXPECT_EQ(ranks[1].finish, ps(300 + 10 + 40));
  EXPECT_EQ(part_of(ranks[0], StepPart::tensor_communication), 200 + 50);
  EXPECT_EQ(part_of(ranks[1], StepPart::tensor_communication), 50);
}

TEST(Player, ABlockPassesTheLongerOfKernelsAndTrafficBesideThemAndThenTheRest) {
  struct Case {
    const char* name;
    std::int64_t kernels, hidden, bare, expected;
  };
  for (const Case& c :
       {Case{"kernels hide it", 100, 60, 0, 100}, Case{"they do not", 100, 140, 0, 140},
        Case{"bare traffic waits for kernels", 100, 60, 30, 100 + 30},
        Case{"and for hidden traffic", 100, 140, 30, 140 + 30},
        Case{"no kernels", 0, 140, 30, 170}}) {
    SCOPED_TRACE(c.name);
    HandJob job;
    BlockTimes block = kernels_of(c.kernels);
    block.hidden = moving(c.hidden);
    block.bare = moving(c.bare);
    StageScript& stage = job.stage(2);
    stage.actions = {job.block(block)};
    job.join_all(Role::tensor);
    const std::vector<RankState> ranks = job.played();
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::tensor_communication), c.expected - c.kernels);
  }
}

TEST(Player, ContextExchangesStandBeforeAttentionOrBesideAllItsBlocksButTheLast) {
  struct Case {
    const char* name;
    std::int64_t beside, tail, exchange, expected;
  };
  // 100 of kernels: those before the exchange, those beside it, those after.
  for (const Case& c : {Case{"all at once", 0, 0, 50, 100 + 50},
                        Case{"a ring hidden by its blocks", 60, 20, 50, 100},
                        Case{"a ring that is not", 60, 20, 75, 20 + 75 + 20}}) {
    SCOPED_TRACE(c.name);
    HandJob job;
    BlockTimes block = kernels_of(100);
    block.beside = ps(c.beside);
    block.tail = ps(c.tail);
    block.context = moving(c.exchange);
    StageScript& stage = job.stage(2);
    stage.actions = {job.block(block)};
    job.join_all(Role::context);
    const std::vector<RankState> ranks = job.played();
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::context_communication), c.expected - 100);
  }
}

TEST(Player, LaunchesAndTheDeviceGiveTheirQNorm) {
  struct Case {
    const char* name;
    double q;
    std::int64_t kernels, host, late_hosts, expected;
  };
  // (3^2 + 4^2)^(1/2) = 5; q = 1 is a sum; a large q the longer one: 2^(1/1000) = 1.000693 of it.
  for (const Case& c :
       {Case{"three, four, five", 2.0, 3'000'000, 4'000'000, 0, 5'000'000},
        Case{"either way round", 2.0, 4'000'000, 3'000'000, 0, 5'000'000},
        Case{"one after the other", 1.0, 3'000'000, 4'000'000, 0, 7'000'000},
        Case{"the longer", 1000.0, 1'000'000, 1'000'000, 0, 1'000'693},
        Case{"the latest host comes on top", 2.0, 3'000'000, 4'000'000, 11, 5'000'011},
        Case{"no kernels", 2.0, 0, 4'000'000, 0, 4'000'000}}) {
    SCOPED_TRACE(c.name);
    HandJob job;
    job.step.host_smoothness = c.q;
    BlockTimes block = kernels_of(c.kernels);
    block.host = ps(c.host);
    block.late_hosts = ps(c.late_hosts);
    StageScript& stage = job.stage(1);
    stage.actions = {job.block(block)};
    const std::vector<RankState> ranks = job.played();
    EXPECT_EQ(ranks[0].finish, ps(c.expected));
    EXPECT_EQ(part_of(ranks[0], StepPart::host), c.expected - c.kernels);
  }
}

/// A sender of two messages, 100 of work before each; a receiver that works 10 on each.
HandJob two_messages(std::int64_t message, std::int64_t blocks) {
  HandJob job;
  job.step.messages.fill(moving(message));
  job.step.send_blocks = ps(blocks);
  StageScript& sender = job.stage(1);
  sender.actions = {job.block(kernels_of(100)), send(0), job.block(kernels_of(100)), send(0)};
  StageScript& receiver = job.stage(1);
  receiver.actions = {receive(0), job.block(kernels_of(10)), receive(0), job.block(kernels_of(10))};
  job.edge(Role::forward_edge, 0, 1);
  return job;
}

TEST(Player, MessagesOfAnEdgeFollowOnEachOther) {
  // Sent at 100 and 200; each takes 30.
  EXPECT_THAT(two_messages(30, 0).finishes(), ElementsAre(200, 200 + 30 + 10));
  // Each takes 250: the second waits for the first, from 350 to 600.
  const std::vector<RankState> slow = two_messages(250, 0).played();
  EXPECT_EQ(slow[0].finish, ps(200));
  EXPECT_EQ(slow[1].finish, ps(100 + 250 + 250 + 10));
  EXPECT_EQ(part_of(slow[1], StepPart::pipeline_bubble), 610 - 2 * 10);
}

TEST(Player, ASenderStandsStillForPartOfItsMessage) {
  // Sent at 100 and at 100 + 20 + 100; the sender stands still after each.
  const std::vector<RankState> ranks = two_messages(30, 20).played();
  EXPECT_EQ(ranks[0].finish, ps(240));
  EXPECT_EQ(part_of(ranks[0], StepPart::pipeline_communication), 2 * 20);
  EXPECT_EQ(ranks[1].finish, ps(220 + 30 + 10));
}

TEST(Player, MessagesOfBothDirectionsDoNotMeet) {
  HandJob job;
  job.step.messages = {moving(30), moving(50)};
  StageScript& first = job.stage(1);
  first.actions = {send(0), receive(1)};
  StageScript& second = job.stage(1);
  second.actions = {send(1), receive(0)};
  job.edge(Role::forward_edge, 0, 1);
  job.edge(Role::backward_edge, 1, 0);
  EXPECT_THAT(job.finishes(), ElementsAre(50, 30));
}

TEST(Player, APassTakesAtLeastItsCopyAndAFullDeviceStallsIt) {
  struct Case {
    const char* name;
    std::int64_t copy;
    double retries;
    std::int64_t host, stall;
  };
  for (const Case& c : {Case{"neither", 0, 0.0, 0, 0}, Case{"a copy beside it", 800, 0.0, 0, 0},
                        Case{"a copy that takes longer", 1500, 0.0, 500, 0},
                        Case{"a tenth for the allocator", 0, 0.1, 0, 100},
                        Case{"a tenth of both", 1500, 0.1, 500, 150}}) {
    SCOPED_TRACE(c.name);
    HandJob job;
    job.step.retry_share = c.retries;
    StageScript& stage = job.stage(1);
    stage.pass_copy = ps(c.copy);
    stage.actions = {begin_pass(0), job.block(kernels_of(1000)), end_pass(0)};
    const std::vector<RankState> ranks = job.played();
    EXPECT_EQ(ranks[0].finish, ps(1000 + c.host + c.stall));
    EXPECT_EQ(part_of(ranks[0], StepPart::host), c.host);
    EXPECT_EQ(part_of(ranks[0], StepPart::allocator_retries), c.stall);
  }
}

/// Three ranks that meet after a block of 100 kernels and 80 of launches, and then pause for 10.
HandJob three_that_meet() {
  HandJob job;
  job.step.host_smoothness = 1.0;
  BlockTimes block = kernels_of(100);
  block.host = ps(80);
  StageScript& stage = job.stage(3);
  job.operation(stage, AsyncStream::weights, moving(50));
  stage.pauses = {{"optimizer", ps(10), StepPart::optimizer}};
  stage.actions = {job.block(block), issue(AsyncStream::weights), await(AsyncStream::weights, 1),
                   pause()};
  job.join_all(Role::shard);
  job.tempers.resize(3);
  return job;
}

TEST(Player, EveryoneWaitsForALateRank) {
  HandJob job = three_that_meet();
  job.tempers[1].late = ps(40);
  const std::vector<RankState> ranks = job.played();
  for (const RankState& rank : ranks) EXPECT_EQ(rank.finish, ps(40 + 180 + 50 + 10));
  EXPECT_EQ(part_of(ranks[1], StepPart::stragglers), 40);
  EXPECT_EQ(part_of(ranks[0], StepPart::data_communication), 40 + 50);
  EXPECT_EQ(part_of(ranks[1], StepPart::data_communication), 50);
}

TEST(Player, ASlowRankStretchesItsKernelsLaunchesAndPausesAndNoTransfer) {
  HandJob job = three_that_meet();
  job.tempers[2].factor = 1.5;
  const std::vector<RankState> ranks = job.played();
  // 150 and 120, the collective, and 15 or 10 for the update.
  EXPECT_EQ(ranks[2].finish, ps(270 + 50 + 15));
  EXPECT_EQ(ranks[0].finish, ps(270 + 50 + 10));
}

TEST(Player, ARankThatFailsHoldsUpAllWhoMeetIt) {
  HandJob job = three_that_meet();
  struct Case {
    const char* name;
    std::int64_t at;
    std::vector<RankPhase> phases;
  };
  const auto waits = RankPhase::waits;
  const auto failed = RankPhase::failed;
  const auto done = RankPhase::done;
  for (const Case& c : {Case{"before it begins", 0, {waits, failed, waits}},
                        Case{"in its kernels", 70, {waits, failed, waits}},
                        // The collective has all members and goes on: the others finish.
                        Case{"in the collective", 200, {done, failed, done}},
                        Case{"in its update", 235, {done, failed, done}},
                        Case{"when all is over", 1000, {done, done, done}}}) {
    SCOPED_TRACE(c.name);
    job.tempers[1].fails = true;
    job.tempers[1].fails_at = ps(c.at);
    const std::vector<RankState> ranks = job.played();
    for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(ranks[i].phase, c.phases[i]) << i;
  }
}

TEST(Player, LiveTensorsFollowPassesKept) {
  // 1,000 bytes always, 100 a pass in flight; the script says that three are kept at its peak.
  HandJob job;
  StageScript& stage = job.stage(1);
  stage.bytes.alive.fill(Bytes{1000.0});
  stage.bytes.alive[static_cast<std::size_t>(Moment::forward)] = Bytes{1300.0};
  stage.bytes.alive[static_cast<std::size_t>(Moment::backward)] = Bytes{1320.0};
  stage.bytes.kept = Bytes{300.0};
  stage.bytes.in_flight = 3.0;
  stage.actions = {at_moment(Moment::startup),
                   at_moment(Moment::forward),
                   keep(),
                   keep(),
                   at_moment(Moment::backward),
                   release(),
                   at_moment(Moment::forward),
                   keep()};
  const std::vector<RankState> ranks = job.played();
  const auto peak = [&](Moment moment) {
    return ranks[0].peaks[static_cast<std::size_t>(moment)].value;
  };
  EXPECT_DOUBLE_EQ(peak(Moment::startup), 1000.0);
  EXPECT_DOUBLE_EQ(peak(Moment::forward), 1000.0 + 2 * 100.0);
  EXPECT_DOUBLE_EQ(peak(Moment::backward), 1020.0 + 2 * 100.0);
  EXPECT_DOUBLE_EQ(peak(Moment::optimizer_step), 0.0);  // never there
  EXPECT_EQ(ranks[0].passes_kept, 2U);
}

TEST(Player, WhoWaitsForNobodyStandsStillAndNeverHangs) {
  HandJob job;
  StageScript& stage = job.stage(1);
  stage.actions = {receive(0)};
  // The player stands still; who calls it says what that means (EventReport::stall).
  EXPECT_EQ(job.played()[0].phase, RankPhase::waits);
}

TEST(PlayerDeathTest, ACommunicatorRunsOneCollectiveAtATime) {
  HandJob job;
  StageScript& stage = job.stage(1);
  // Two streams of one role: a second join while the first collective is under way.
  job.operation(stage, AsyncStream::weights, moving(50));
  job.operation(stage, AsyncStream::copies, moving(50));
  stage.actions = {issue(AsyncStream::weights), issue(AsyncStream::copies)};
  job.join_all(Role::shard);
  EXPECT_DEATH(job.played(), "!meeting.busy");
}

}  // namespace
}  // namespace cubicbench::sim
