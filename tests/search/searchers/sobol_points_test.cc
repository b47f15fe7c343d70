#include "search/searchers/sobol_points.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace cubicbench::search {
namespace {

using Point = std::vector<std::uint64_t>;

std::vector<Point> points(SobolPoints sequence, std::size_t dimensions, std::size_t count) {
  std::vector<Point> all(count, Point(dimensions));
  for (Point& point : all) sequence.next(point);
  return all;
}

// scipy.stats.qmc.Sobol(d=64, scramble=False).random(1000) of SciPy 1.10.1, in units of 2^-10.
TEST(SobolPoints, AreThePublishedOnes) {
  constexpr std::array<std::size_t, 9> dimensions{0, 1, 2, 3, 4, 5, 20, 40, 63};
  struct Case {
    std::size_t number;
    std::array<std::uint64_t, 9> expected;
  };
  const std::vector<Point> all = points(SobolPoints(64), 64, 1000);
  for (const Case& c : {Case{0, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
                        Case{1, {512, 512, 512, 512, 512, 512, 512, 512, 512}},
                        Case{2, {768, 256, 256, 256, 768, 768, 256, 256, 768}},
                        Case{3, {256, 768, 768, 768, 256, 256, 768, 768, 256}},
                        Case{4, {384, 384, 640, 896, 384, 128, 128, 896, 128}},
                        Case{5, {896, 896, 128, 384, 896, 640, 640, 384, 640}},
                        Case{37, {944, 656, 592, 944, 784, 304, 976, 80, 848}},
                        Case{200, {212, 396, 420, 604, 836, 572, 372, 212, 364}},
                        Case{999, {161, 931, 83, 1013, 991, 865, 343, 359, 649}}}) {
    SCOPED_TRACE(c.number);
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      EXPECT_EQ(all[c.number][dimensions[i]], c.expected[i] << 54) << "dimension " << dimensions[i];
    }
  }
}

// A polynomial of degree s is primitive exactly if x has order 2^s - 1 modulo it.
TEST(SobolTable, HasPrimitivePolynomialsAndOddNumbers) {
  std::set<std::uint32_t> seen;
  for (const SobolDimension& dimension : sobol_table()) {
    SCOPED_TRACE(dimension.polynomial);
    EXPECT_TRUE(seen.insert(dimension.polynomial).second);
    const auto degree = static_cast<std::uint32_t>(std::bit_width(dimension.polynomial)) - 1;
    std::uint32_t order = 0;
    std::uint32_t power = 1;
    do {
      power <<= 1;
      if ((power >> degree & 1) != 0) power ^= dimension.polynomial;
      ++order;
    } while (power != 1 && order < 1U << degree);
    EXPECT_EQ(order, (1U << degree) - 1);
    for (std::uint32_t k = 0; k < dimension.first.size(); ++k) {
      const std::uint32_t m = dimension.first[k];
      if (k < degree) {
        EXPECT_TRUE(m % 2 == 1 && m < 2U << k) << k;
      } else {
        EXPECT_EQ(m, 0U) << k;
      }
    }
  }
}

void expect_one_in_each_interval(const std::vector<Point>& all) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(all.size()));
  for (std::size_t dimension = 0; dimension < all.front().size(); ++dimension) {
    std::set<std::uint64_t> intervals;
    for (const Point& point : all) intervals.insert(point[dimension] >> (64 - bits));
    EXPECT_EQ(intervals.size(), all.size()) << "dimension " << dimension;
  }
}

// The first two dimensions are a (0, 2)-sequence: 2^k points lie one each in the 2^k boxes of any
// shape 2^-a x 2^-(k - a).
void expect_one_in_each_box(const std::vector<Point>& all) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(all.size()));
  for (std::uint32_t a = 1; a < bits; ++a) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> boxes;
    for (const Point& point : all) boxes.emplace(point[0] >> (64 - a), point[1] >> (64 - bits + a));
    EXPECT_EQ(boxes.size(), all.size()) << a;
  }
}

TEST(SobolPoints, AreSpreadEvenlyScrambledOrNot) {
  expect_one_in_each_interval(points(SobolPoints(64), 64, 256));
  expect_one_in_each_box(points(SobolPoints(2), 2, 256));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_one_in_each_interval(points(SobolPoints::scrambled(64, seed), 64, 256));
    expect_one_in_each_box(points(SobolPoints::scrambled(2, seed), 2, 256));
  }
}

TEST(SobolPoints, ScramblesByTheSeed) {
  const auto of = [](std::uint64_t seed) { return points(SobolPoints::scrambled(5, seed), 5, 16); };
  EXPECT_EQ(of(1), of(1));
  EXPECT_NE(of(1), of(2));
  // More than a shift: the xor of two points, which a shift leaves alone, differs too.
  EXPECT_NE(of(1)[0][4] ^ of(1)[5][4], of(2)[0][4] ^ of(2)[5][4]);
}

// Each of the first points is uniform over seeds: 16 intervals, 15 degrees of freedom, 99.99th
// percentile of chi-square.
TEST(SobolPoints, AreUniformOneByOneWhenScrambled) {
  constexpr int seeds = 3200;
  constexpr double chi_square_max = 44.26;
  for (const std::size_t number : {0U, 1U, 6U}) {
    std::array<std::array<int, 16>, 3> times{};
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Point point = points(SobolPoints::scrambled(3, seed), 3, number + 1).back();
      for (std::size_t i = 0; i < 3; ++i) ++times[i][point[i] >> 60];
    }
    for (const auto& of_dimension : times) {
      double chi_square = 0.0;
      for (const int observed : of_dimension) {
        const double difference = observed - seeds / 16.0;
        chi_square += difference * difference / (seeds / 16.0);
      }
      EXPECT_LT(chi_square, chi_square_max) << "point " << number;
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
