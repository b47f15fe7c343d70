#include "sim/base/philox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace cubicbench::sim {
namespace {

// Random123, tests/kat_vectors, "philox4x32 10": zeros, ones, and the digits of pi.
static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) ==
              PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                         {0xffffffff, 0xffffffff}) ==
              PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                         {0xa4093822, 0x299f31d0}) ==
              PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

Draw numbered(std::uint64_t entity, std::uint32_t draw = 0) {
  return {.seed = 1, .purpose = Purpose::test, .entity = entity, .draw = draw};
}

// Pinned: these values are inside every recorded result.
TEST(Draw, WordsOfADrawNeverChange) {
  // Seed, purpose, entity and draw of zero are Random123's first vector, low word first.
  const RandomWords words = random_words(Draw{});
  EXPECT_EQ(words.first, 0xe169c58d6627e8d5U);
  EXPECT_EQ(words.second, 0x9b00dbd8bc57ac4cU);
  EXPECT_EQ(uniform(Draw{}), static_cast<double>(0xe169c58d6627e8d5U >> 11) / 0x1p53);
}

TEST(Draw, EveryPartOfTheNameMatters) {
  const Draw name{.seed = 1, .purpose = Purpose::noise, .entity = 2, .draw = 3};
  std::set<std::uint64_t> words{random_words(name).first};
  for (Draw other : {Draw{2, Purpose::noise, 2, 3}, Draw{1ULL << 32 | 1, Purpose::noise, 2, 3},
                     Draw{1, Purpose::drift, 2, 3}, Draw{1, Purpose::noise, 3, 3},
                     Draw{1, Purpose::noise, 1ULL << 32 | 2, 3}, Draw{1, Purpose::noise, 2, 4}}) {
    words.insert(random_words(other).first);
  }
  words.insert(random_words(name, 1).first);
  EXPECT_EQ(words.size(), 8U);
  EXPECT_EQ(random_words(name).first, random_words(Draw{name}).first);
}

TEST(Uniform, StaysInTheHalfOpenUnitInterval) {
  static_assert(unit_interval(0) == 0.0);
  static_assert(unit_interval(~std::uint64_t{0}) == 1.0 - 0x1p-53);
  static_assert(unit_interval(std::uint64_t{1} << 63) == 0.5);
}

TEST(Uniform, FillsTheIntervalEvenly) {
  // 16 cells of 4096 expected draws: chi-square with 15 degrees of freedom, 99.9 % below 37.7.
  constexpr int cells = 16;
  constexpr int draws = cells * 4096;
  std::array<int, cells> seen{};
  for (std::uint64_t i = 0; i < draws; ++i) {
    ++seen[static_cast<std::size_t>(uniform(numbered(i)) * cells)];
  }
  double chi_square = 0.0;
  for (const int count : seen) {
    chi_square += (count - 4096.0) * (count - 4096.0) / 4096.0;
  }
  EXPECT_LT(chi_square, 37.7);
}

TEST(UniformBelow, ReachesEveryValueAndNoOther) {
  for (const std::uint64_t n : {1U, 2U, 3U, 7U, 10U}) {
    SCOPED_TRACE(n);
    std::vector<int> seen(n, 0);
    for (std::uint64_t i = 0; i < 1000 * n; ++i) {
      const std::uint64_t value = uniform_below(numbered(i), n);
      ASSERT_LT(value, n);
      ++seen[value];
    }
    // Each count has mean 1000 and deviation below 32; five of them is 160.
    EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 840);
    EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 1160);
  }
}

TEST(UniformBelow, RejectsWordsThatWouldFavourSmallValues) {
  // n = 3 * 2^62 accepts 3 words in 4. Without rejection the values below 2^62 would come twice as
  // often: half of all draws instead of a third.
  constexpr std::uint64_t n = std::uint64_t{3} << 62;
  constexpr int draws = 30'000;
  int low = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const std::uint64_t value = uniform_below(numbered(i), n);
    ASSERT_LT(value, n);
    low += value < (std::uint64_t{1} << 62) ? 1 : 0;
  }
  EXPECT_NEAR(low, draws / 3, 5 * std::sqrt(draws * 2.0 / 9.0));
}

TEST(UniformBelow, LargestRange) {
  EXPECT_EQ(uniform_below(Draw{}, std::uint64_t{1} << 63),
            0xe169c58d6627e8d5U & ~(std::uint64_t{1} << 63));
  EXPECT_LT(uniform_below(Draw{}, ~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(UniformBelowDeathTest, NothingIsBelowZero) {
  EXPECT_DEATH(uniform_below(Draw{}, 0), "broken invariant: n >= 1, where n = 0");
}

TEST(Shuffle, BringsEveryOrderEquallyOften) {
  std::map<std::vector<int>, int> times;
  for (std::uint64_t i = 0; i < 6000; ++i) {
    std::vector<int> order{0, 1, 2};
    shuffle(order, numbered(i));
    ++times[order];
  }
  EXPECT_EQ(times.size(), 6U);
  for (const auto& [order, count] : times) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0));
}

TEST(StandardNormal, HasTheMomentsOfANormal) {
  // Deviations of the means of z, z^2, z^3, z^4 over N draws: sqrt(1, 2, 15, 96 / N). Five each.
  constexpr std::uint64_t draws = 200'000;
  std::array<double, 5> sums{};
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double z = standard_normal(numbered(i / 4, static_cast<std::uint32_t>(i % 4)));
    double power = 1.0;
    for (double& sum : sums) {
      sum += power;
      power *= z;
    }
  }
  const double n = static_cast<double>(draws);
  EXPECT_NEAR(sums[1] / n, 0.0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(sums[2] / n, 1.0, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(sums[3] / n, 0.0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(sums[4] / n, 3.0, 5 * std::sqrt(96.0 / n));
}

TEST(StandardNormal, FollowsTheNormalDistribution) {
  // Kolmogorov-Smirnov: 99.9 % of samples stay within 1.95 / sqrt(N) of the distribution.
  constexpr std::uint64_t draws = 100'000;
  std::vector<double> sample;
  for (std::uint64_t i = 0; i < draws; ++i) {
    sample.push_back(standard_normal(numbered(i)));
  }
  std::sort(sample.begin(), sample.end());
  double distance = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double below = 0.5 * std::erfc(-sample[i] / std::sqrt(2.0));
    distance = std::max({distance, std::abs(below - static_cast<double>(i) / draws),
                         std::abs(below - static_cast<double>(i + 1) / draws)});
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(draws)));
}

TEST(StandardNormal, NeighbouringDrawsAreUncorrelated) {
  constexpr std::uint64_t draws = 100'000;
  double by_entity = 0.0;
  double by_draw = 0.0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double z = standard_normal(numbered(i));
    by_entity += z * standard_normal(numbered(i + 1));
    by_draw += z * standard_normal(numbered(i, 1));
  }
  EXPECT_NEAR(by_entity / draws, 0.0, 5 / std::sqrt(static_cast<double>(draws)));
  EXPECT_NEAR(by_draw / draws, 0.0, 5 / std::sqrt(static_cast<double>(draws)));
}

}  // namespace
}  // namespace cubicbench::sim
