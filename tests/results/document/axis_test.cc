#include "results/document/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TickStep, LeavesFiveToTenSteps) {
  EXPECT_DOUBLE_EQ(tick_step(1.0), 0.2);
  EXPECT_DOUBLE_EQ(tick_step(150.0), 20.0);
  EXPECT_DOUBLE_EQ(tick_step(300.0), 50.0);
  EXPECT_DOUBLE_EQ(tick_step(7e-4), 1e-4);
  EXPECT_DOUBLE_EQ(tick_step(19.0), 2.0);
  EXPECT_DOUBLE_EQ(tick_step(22.0), 5.0);
  for (const double range : {3e-7, 0.02, 1.1, 9.9, 42.0, 1e6, 7.7e12}) {
    const double steps = range / tick_step(range);
    EXPECT_GE(steps, 4.0) << range;
    EXPECT_LE(steps, 10.1) << range;
  }
}

TEST(LogTicks, StandAtDecadesOrAtPowersOfTwo) {
  EXPECT_THAT(log_ticks({.label = "", .min = 0.02, .max = 150.0, .scale = AxisScale::log10}),
              ElementsAre(0.1, 1.0, 10.0, 100.0));
  // Two decades: 2 and 5 times each as well.
  EXPECT_THAT(log_ticks({.label = "", .min = 0.4, .max = 12.0, .scale = AxisScale::log10}),
              ElementsAre(0.5, 1.0, 2.0, 5.0, 10.0));
  EXPECT_THAT(log_ticks({.label = "", .min = 7.0, .max = 70.0, .scale = AxisScale::log2}),
              ElementsAre(8.0, 16.0, 32.0, 64.0));
  // 2^0 to 2^20 are 21, of which every second stays.
  const auto many =
      log_ticks({.label = "", .min = 1.0, .max = 1'048'576.0, .scale = AxisScale::log2});
  EXPECT_EQ(many.size(), 11U);
  EXPECT_EQ(many[1], 4.0);
  EXPECT_EQ(many.back(), 1'048'576.0);
}

TEST(LogAxis, HoldsEveryValueThatHasAPlaceOnIt) {
  const Axis axis = log_axis("GPUs", std::array{64.0, 0.0, 1024.0, -1.0, 16.0}, AxisScale::log2);
  EXPECT_EQ(axis.label, "GPUs");
  // 16 to 1024 are six octaves, a twentieth of them 0.3.
  EXPECT_NEAR(axis.min, 16.0 / 1.2311444133449163, 1e-12);
  EXPECT_NEAR(axis.max, 1024.0 * 1.2311444133449163, 1e-9);
  const Axis one = log_axis("", std::array{5.0}, AxisScale::log10);
  EXPECT_LT(one.min, 5.0);
  EXPECT_GT(one.max, 5.0);
  const Axis none = log_axis("", std::array{0.0}, AxisScale::log10);
  EXPECT_EQ(none.min, 1.0);
  EXPECT_EQ(none.max, 10.0);
}

TEST(LinearAxis, GoesFromTickToTickAndBelowZero) {
  const Axis axis = linear_axis("", std::array{-1.3, 0.0, 2.2});
  EXPECT_DOUBLE_EQ(axis.min, -1.5);
  EXPECT_DOUBLE_EQ(axis.max, 2.5);
  // A value close to a tick has room above it.
  EXPECT_DOUBLE_EQ(linear_axis("", std::array{0.0, 9.9}).max, 12.0);
  const Axis same = linear_axis("", std::array{3.0, 3.0});
  EXPECT_LT(same.min, 3.0);
  EXPECT_GT(same.max, 3.0);
  const Axis unknown = linear_axis("", std::array{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(unknown.min, 0.0);
  EXPECT_EQ(unknown.max, 1.0);
}

TEST(AxisScript, NamesEveryTickOfALogarithmicAxis) {
  const std::string script =
      axis_script('x', {.label = "", .min = 900.0, .max = 5000.0, .scale = AxisScale::log2}, 900.0);
  EXPECT_EQ(script,
            "set xrange [900:5000]\nset logscale x 2\n"
            "set xtics ('1,024' 1024,'2,048' 2048,'4,096' 4096) nomirror\n");
  EXPECT_EQ(axis_script('y', {.label = "", .min = 0.0, .max = 1.0}, -0.1),
            "set yrange [-0.1:1]\nset ytics 0,0.2 nomirror\n");
  EXPECT_THAT(
      axis_script('y', {.label = "", .min = 0.05, .max = 30.0, .scale = AxisScale::log10}, 0.05),
      HasSubstr("('0.1' 0.1,'1' 1,'10' 10)"));
}

TEST(AxisScript, WritesMillionsAndBeyondWithTheirLetter) {
  const Axis sizes{
      .label = "", .min = 1.0, .max = 1e12, .scale = AxisScale::log10, .ticks = {1e5, 2e6, 1e11}};
  EXPECT_THAT(axis_script('x', sizes, 1.0),
              HasSubstr("('100,000' 1e+05,'2 M' 2e+06,'100 G' 1e+11)"));
}

TEST(LogTicks, OfLessThanADecadeAreEven) {
  const Axis axis{.label = "", .min = 300.0, .max = 420.0, .scale = AxisScale::log10};
  EXPECT_GE(log_ticks(axis).size(), 4U);
  for (const double tick : log_ticks(axis)) {
    EXPECT_GE(tick, 300.0);
    EXPECT_LE(tick, 420.0);
  }
}

TEST(Axis, OfAShortOneHasFewTicks) {
  const Axis shares{.label = "", .min = -0.2, .max = 1.0, .few = true};
  EXPECT_EQ(axis_script('y', shares, -0.2), "set yrange [-0.2:1]\nset ytics 0,0.5 nomirror\n");
  Axis sizes{.label = "",
             .min = 10.0,
             .max = 1000.0,
             .scale = AxisScale::log10,
             .ticks = {10.0, 20.0, 50.0, 100.0, 200.0},
             .few = true};
  // Less than 0.17 of the axis, here a factor of 2.19, is too near.
  EXPECT_THAT(log_ticks(sizes), testing::ElementsAre(10.0, 50.0, 200.0));
  sizes.numbers = false;
  EXPECT_THAT(axis_script('x', sizes, 10.0), testing::HasSubstr("xtics ('' 10,'' 50,'' 200)"));
}

TEST(Axis, KnowsItsLongestNumber) {
  EXPECT_EQ(longest_tick({.label = "", .min = 0.0, .max = 1.0}), 3U);  // 0.2
  EXPECT_EQ(longest_tick({.label = "", .min = 1.0, .max = 20'000.0, .scale = AxisScale::log10}),
            6U);  // 10,000
}

}  // namespace
}  // namespace cubicbench::results
