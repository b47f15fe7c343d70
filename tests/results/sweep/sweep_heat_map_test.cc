#include "results/sweep/sweep_heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;
using testing::HasSubstr;
using testing::Not;

constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

SweepPoint running(double objective, double memory_gib) {
  return {.status = "ok",
          .reason = Reason::none,
          .why = "",
          .step_time_s = 1.0,
          .objective = objective,
          .memory_bytes = memory_gib * gibibyte};
}

/// micro_batch down (2), wrap across (3); the last point does not fit.
Sweep mapped_sweep() {
  Sweep sweep;
  sweep.scenario = "made-up@3";
  sweep.asked.axes = {
      {"micro_batch", {"1", "2"}}, {"sharding", {"zero1"}}, {"wrap", {"1", "2", "4"}}};
  sweep.points = {running(1000.0, 10.0),
                  running(2000.0, 20.0),
                  running(3000.0, 30.0),
                  running(4000.0, 40.0),
                  running(5000.0, 50.0),
                  {.status = "oom_late",
                   .reason = Reason::oom_late,
                   .why = "too much",
                   .memory_bytes = 90.0 * gibibyte}};
  return sweep;
}

TEST(SweepHeatMap, HasEachPointInItsPlace) {
  const std::vector<Picture> maps = sweep_heat_maps(mapped_sweep());
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(xml_problem(maps[0].svg), "");
  for (const char* const words :
       {"micro_batch=1 wrap=1: 1.000 k", "micro_batch=1 wrap=4: 3.000 k",
        "micro_batch=2 wrap=2: 5.000 k", "micro_batch=2 wrap=4: OOM, out of memory"}) {
    EXPECT_THAT(maps[0].svg, HasSubstr(std::string("<title>") + words + "</title>"));
  }
  EXPECT_THAT(maps[1].svg, HasSubstr("<title>micro_batch=2 wrap=4: 90.0, out of memory</title>"));
  EXPECT_EQ(maps[0].stem, "made-up-3-objective");
  EXPECT_EQ(maps[1].stem, "made-up-3-memory");
  // The frame follows its cell, which says what it is.
  const std::size_t best = maps[0].svg.find("micro_batch=2 wrap=2:");
  const std::size_t frame = maps[0].svg.find("class=\"best\"");
  EXPECT_GT(frame, best);
  EXPECT_LT(frame, maps[0].svg.find("micro_batch=2 wrap=4:"));
}

TEST(SweepHeatMap, LeavesOutWhatThereIsNot) {
  Sweep sweep = mapped_sweep();
  for (SweepPoint& point : sweep.points) point.memory_bytes.reset();
  EXPECT_EQ(sweep_heat_maps(sweep).size(), 1U);
  sweep.asked.axes[1].values.emplace_back("zero2");
  sweep.points.resize(12, running(1.0, 1.0));
  EXPECT_TRUE(sweep_heat_maps(sweep).empty());
  sweep.asked.axes = {{"micro_batch", {"1", "2"}}};
  sweep.points.resize(2);
  EXPECT_TRUE(sweep_heat_maps(sweep).empty());
}

TEST(SweepHeatMap, TakesAHundredValuesOfAList) {
  Sweep sweep = mapped_sweep();
  SweepAxis many{"wrap", {}};
  for (int i = 1; i <= 100; ++i) many.values.push_back(std::to_string(i));
  sweep.asked.axes = {{"micro_batch", {"1", "2"}}, many};
  sweep.points.assign(200, running(1.0, 1.0));
  EXPECT_EQ(sweep_heat_maps(sweep).size(), 2U);
  sweep.asked.axes[1].values.emplace_back("101");
  sweep.points.resize(202, running(1.0, 1.0));
  EXPECT_TRUE(sweep_heat_maps(sweep).empty());
}

}  // namespace
}  // namespace cubicbench::results
