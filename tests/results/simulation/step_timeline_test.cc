#include "results/simulation/step_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

/// A step that was played, with its picture.
struct Played {
  Simulation simulation;
  sim::SpanLog log;
  Timeline timeline;
  std::vector<RankTime> ranks;
};

Played played(const std::string& name, const Words& sets, bool with_kernels = false) {
  const scenarios::Scenario scenario = datasets::read_simulated(name, sets, nullptr);
  Played of;
  of.log.layers_max = std::numeric_limits<std::int32_t>::max();
  of.log.ranks = timeline_ranks(scenario);
  sim::EventOptions event;
  event.spans = &of.log;
  of.simulation = simulate(scenario, sets, 0, &event);
  of.timeline = step_timeline(of.simulation, of.log, with_kernels);
  of.ranks = rank_times(of.timeline, of.log, of.simulation.report.step.value);
  return of;
}

Words kinds_of(const Timeline& timeline) {
  Words names;
  for (const TimelineKind& kind : timeline.kinds) names.push_back(kind.name);
  return names;
}

Words lanes_of(const TimelineRow& row) {
  Words names;
  for (const TimelineLane& lane : row.lanes) names.push_back(lane.name);
  return names;
}

std::size_t boxes_of(const Timeline& timeline, std::size_t row, const std::string& kind) {
  std::size_t count = 0;
  for (const TimelineBox& box : timeline.rows[row].lanes.front().boxes) {
    count += timeline.kinds[box.kind].name == kind ? 1U : 0U;
  }
  return count;
}

const Words pipeline{"pipeline_parallel=8", "schedule=1f1b", "micro_batch=1", "global_batch=128"};

// 512 GPUs, tensor 8 x pipeline 8: 8 replicas, so 16 micro-batches of one sequence.
TEST(StepTimeline, ShowsAPipelineStageByStage) {
  const Played of = played("llama3-70b", pipeline);
  ASSERT_EQ(of.timeline.rows.size(), 8U);
  EXPECT_EQ(of.timeline.rows[0].name, "stage 0, rank 0");
  EXPECT_EQ(of.timeline.rows[7].name, "stage 7, rank 56");
  EXPECT_THAT(lanes_of(of.timeline.rows[3]),
              ElementsAre("computes", "tensor group", "weights and gradients", "pipeline"));
  for (std::size_t row = 0; row < 8; ++row) {
    EXPECT_EQ(boxes_of(of.timeline, row, "forward"), 16U);
    EXPECT_EQ(boxes_of(of.timeline, row, "backward"), 16U);
    EXPECT_EQ(boxes_of(of.timeline, row, "optimizer"), 1U);
  }
  EXPECT_EQ(of.timeline.waiting, "waiting: the pipeline bubble");
  EXPECT_EQ(xml_problem(timeline_svg(of.timeline)), "");
}

// Whatever a stage does not compute or send is the bubble; there are no stragglers without
// conditions.
TEST(StepTimeline, ThePartsOfAPlayedStepAreItsTime) {
  const auto part = [](const Played& of, sim::StepPart which) {
    return of.simulation.report.parts[static_cast<std::size_t>(which)].value;
  };
  for (const Words& sets : {pipeline, Words{"pipeline_parallel=1", "recompute=full"}}) {
    const Played of = played("llama3-70b", sets);
    const bool pipelined = sets == pipeline;
    EXPECT_EQ(part(of, sim::StepPart::pipeline_bubble) > 0.0, pipelined);
    EXPECT_NEAR(part(of, sim::StepPart::stragglers), 0.0, 1e-9);
    double sum = 0.0;
    for (const sim::Seconds one : of.simulation.report.parts) sum += one.value;
    EXPECT_NEAR(sum, of.simulation.report.step.value, 1e-9);
  }
}

// A trace draws an arrow from the sender of a message to its receiver.
TEST(StepTimeline, EveryMessageHasANumberOfItsOwn) {
  for (const char* const schedule :
       {"schedule=1f1b", "schedule=interleaved", "schedule=zb_v", "schedule=dualpipe"}) {
    Words sets = pipeline;
    sets[1] = schedule;
    if (sets[1] == "schedule=interleaved") sets.emplace_back("virtual_stages=2");
    std::map<std::uint64_t, std::vector<std::int64_t>> ranks;
    std::map<std::uint64_t, std::set<std::string>> names;
    for (const sim::Span& span : played("llama3-70b", sets).log.spans) {
      if (span.message == 0) continue;
      ranks[span.message].push_back(span.rank);
      names[span.message].insert(span.name);
    }
    EXPECT_FALSE(ranks.empty()) << schedule;
    for (const auto& [message, at] : ranks) {
      ASSERT_EQ(at.size(), 2U) << schedule << " " << message;
      EXPECT_NE(at[0], at[1]) << schedule << " " << message;
      EXPECT_EQ(names[message].size(), 2U) << schedule << " " << message;
    }
  }
}

// Of p stages and m micro-batches the bubble is (p - 1) / (m + p - 1) of the passes' time
// [docs/models.md, section P]: 7 / 23 = 30 %, of stages that are not all alike.
TEST(StepTimeline, RanksWaitForTheBubble) {
  const Played of = played("llama3-70b", pipeline);
  const double step = of.simulation.report.step.value;
  for (const RankTime& rank : of.ranks) {
    SCOPED_TRACE(rank.name);
    EXPECT_NEAR(rank.busy_s + rank.idle_s, step, 1e-9 * step);
    EXPECT_GT(rank.idle_s / step, 0.20);
    EXPECT_LT(rank.idle_s / step, 0.50);
    for (const auto& [name, time] : rank.streams) EXPECT_LE(time, step) << name;
  }
  EXPECT_THAT(of.timeline.title, HasSubstr("llama3-70b: a step takes "));
  EXPECT_THAT(of.timeline.title, HasSubstr(" of it on average"));
}

TEST(StepTimeline, TellsForwardFromBackwardWithoutPasses) {
  const Played of = played("ads-73b", {});
  ASSERT_EQ(of.timeline.rows.size(), 2U);
  EXPECT_THAT(kinds_of(of.timeline),
              ElementsAre("forward", "backward", "optimizer", "weights gathered",
                          "gradients reduced", "embedding rows", "next batch"));
  // Kernels of the backward pass take more than those of the forward pass, and begin later.
  double first_backward = of.timeline.length_s;
  double last_optimizer = 0.0;
  for (const TimelineBox& box : of.timeline.rows[0].lanes[0].boxes) {
    const std::string& kind = of.timeline.kinds[box.kind].name;
    if (kind == "backward") first_backward = std::min(first_backward, box.begin);
    if (kind == "optimizer") last_optimizer = std::max(last_optimizer, box.end);
  }
  EXPECT_GT(first_backward, 0.25 * of.timeline.length_s);
  EXPECT_GT(last_optimizer, 0.95 * of.timeline.length_s);
  for (const TimelineBox& box : of.timeline.rows[0].lanes[0].boxes) {
    const std::string& kind = of.timeline.kinds[box.kind].name;
    if (kind != "forward") continue;
    EXPECT_LE(box.end, first_backward + 1e-9);
  }
}

TEST(StepTimeline, HasALaneOfKernelsWhereOneIsAskedFor) {
  const Played of = played("tiny-llama", {}, true);
  EXPECT_EQ(lanes_of(of.timeline.rows[0])[1], "kernels");
  EXPECT_THAT(kinds_of(of.timeline), testing::Contains("attention"));
  const Played without = played("tiny-llama", {});
  EXPECT_THAT(lanes_of(without.timeline.rows[0]), testing::Not(testing::Contains("kernels")));
}

TEST(StepTimeline, FollowsTheFirstRankOfEachStageUpToSixteen) {
  const auto ranks = [](const Words& sets) {
    return timeline_ranks(datasets::read_simulated("llama3-405b", sets, nullptr));
  };
  EXPECT_EQ(ranks({}).size(), 16U);
  EXPECT_THAT(ranks({"pipeline_parallel=2"}), ElementsAre(0, 8));
  EXPECT_EQ(ranks({"pipeline_parallel=32"}).size(), 4U);
}

}  // namespace
}  // namespace cubicbench::results
