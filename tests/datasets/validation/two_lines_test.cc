#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "datasets/validation/crossovers.h"

namespace cubicbench::datasets {
namespace {

constexpr double mib = 0x1p20;

template <class Time>
std::vector<SizedTime> curve_of(Time time) {
  std::vector<SizedTime> curve;
  for (double size = 1024.0; size <= 1024.0 * mib; size *= 2.0) {
    curve.push_back({.size = size, .time = time(size)});
  }
  return curve;
}

// 20 us + S / 10 GB/s and 60 us + S / 200 GB/s meet at 40e-6 / (1e-10 - 0.05e-10) = 421,053 bytes.
double two_regimes(double size) { return std::min(20e-6 + size / 10e9, 60e-6 + size / 200e9); }

TEST(TwoLines, FindTheLinesThatMadeACurve) {
  const auto lines = fit_two_lines(curve_of(two_regimes));
  ASSERT_TRUE(lines);
  EXPECT_NEAR(lines->crossing, 421052.6, 1.0);
  EXPECT_NEAR(lines->low.start, 20e-6, 1e-12);
  EXPECT_NEAR(lines->high.start, 60e-6, 1e-12);
  EXPECT_NEAR(1.0 / lines->low.per_byte, 10e9, 1e3);
  EXPECT_NEAR(1.0 / lines->high.per_byte, 200e9, 1e4);
  EXPECT_LT(lines->error, 1e-20);
  EXPECT_GT(lines->error_one, 0.1);
}

TEST(TwoLines, UnitsOfTimeDoNotMatter) {
  std::vector<SizedTime> curve = curve_of(two_regimes);
  for (SizedTime& point : curve) point.time *= 1e6;
  const auto lines = fit_two_lines(curve);
  ASSERT_TRUE(lines);
  EXPECT_NEAR(lines->crossing, 421052.6, 1.0);
}

TEST(TwoLines, OneLineHasNoCrossing) {
  EXPECT_FALSE(fit_two_lines(curve_of([](double) { return 1.0; })));
  EXPECT_FALSE(fit_two_lines(curve_of([](double size) { return size / 1e9; })));
}

TEST(TwoLines, FivePointsCannotBeCut) {
  std::vector<SizedTime> curve = curve_of(two_regimes);
  curve.resize(5);
  EXPECT_FALSE(fit_two_lines(curve));
}

}  // namespace
}  // namespace cubicbench::datasets
