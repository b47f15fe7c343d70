#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/finished/search_curve.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

using scenarios::Direction;

// Six jobs with a tie and two failures, which count as no throughput.
const Values six{5.0, std::nullopt, 2.0, 5.0, std::nullopt, 3.0};

/// The running best of every order of `values`: row p is the p-th order.
std::vector<std::vector<double>> every_order(const std::vector<double>& values,
                                             Direction direction) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<double>> rows;
  do {
    Values row;
    for (const std::size_t job : order) row.emplace_back(values[job]);
    std::vector<double> best;
    for (const auto& value : running_best(row, direction)) best.push_back(*value);
    rows.push_back(best);
  } while (std::next_permutation(order.begin(), order.end()));
  return rows;
}

TEST(ExpectedBest, EqualsTheMeanOverAllOrders) {
  for (const Direction direction : {Direction::maximize, Direction::minimize}) {
    const std::vector<double> values = filled(six, direction);
    const auto rows = every_order(values, direction);
    ASSERT_EQ(rows.size(), 720U);
    const std::vector<double> exact = expected_best(values, 6, direction);
    for (std::size_t k = 0; k < 6; ++k) {
      double sum = 0.0;
      for (const auto& row : rows) sum += row[k];
      EXPECT_NEAR(exact[k], sum / 720.0, 1e-12) << k;
    }
  }
}

TEST(ExpectedBest, OfOneIsTheMeanAndOfAllTheBest) {
  const std::vector<double> values = filled(six, Direction::maximize);
  const std::vector<double> exact = expected_best(values, 6, Direction::maximize);
  EXPECT_DOUBLE_EQ(exact.front(), 15.0 / 6.0);
  EXPECT_EQ(exact.back(), 5.0);
  EXPECT_TRUE(std::is_sorted(exact.begin(), exact.end()));
  EXPECT_EQ(expected_best(values, 2, Direction::maximize).size(), 2U);
  EXPECT_TRUE(expected_best({}, 0, Direction::maximize).empty());
}

TEST(ExpectedBest, StaysExactForThousandsOfJobs) {
  // Of the numbers 1 .. n the best of k is k (n + 1) / (k + 1) on average.
  std::vector<double> values(3000);
  std::iota(values.begin(), values.end(), 1.0);
  const std::vector<double> exact = expected_best(values, 3000, Direction::maximize);
  for (const std::size_t k : {1U, 2U, 150U, 1500U, 2999U, 3000U}) {
    const double expected = static_cast<double>(k) * 3001.0 / static_cast<double>(k + 1);
    EXPECT_NEAR(exact[k - 1] / expected, 1.0, 1e-12) << k;
  }
}

TEST(BestQuantile, EqualsTheQuantileOverAllOrders) {
  const std::vector<double> values = filled(six, Direction::maximize);
  const auto rows = every_order(values, Direction::maximize);
  for (const double share : {0.1, 0.26, 0.5, 0.74, 0.9}) {
    const std::vector<double> exact = best_quantile(values, 6, share, Direction::maximize);
    for (std::size_t k = 0; k < 6; ++k) {
      std::vector<double> at;
      at.reserve(rows.size());
      for (const auto& row : rows) at.push_back(row[k]);
      std::sort(at.begin(), at.end());
      const auto place = static_cast<std::size_t>(std::ceil(share * 720.0 - 1e-9));
      EXPECT_EQ(exact[k], at[place - 1]) << share << " of " << k + 1;
    }
  }
}

TEST(BestQuantile, GoodIsSmallWhereLessIsBetter) {
  const std::vector<double> values{4.0, 1.0, 3.0, 2.0};
  EXPECT_EQ(best_quantile(values, 1, 0.9, Direction::minimize), std::vector<double>{1.0});
  EXPECT_EQ(best_quantile(values, 1, 0.1, Direction::minimize), std::vector<double>{4.0});
}

TEST(MeanRunningBest, IsTheExpectationWithinItsSamplingError) {
  std::vector<double> values;
  for (int i = 0; i < 150; ++i) values.push_back(i % 7 == 0 ? 0.0 : 100.0 + (i * 37) % 150);
  constexpr std::int64_t permutations = 100;
  const std::vector<double> mean =
      mean_running_best(values, 150, permutations, Direction::maximize);
  const std::vector<double> exact = expected_best(values, 150, Direction::maximize);
  std::vector<double> squares(values.size());
  std::transform(values.begin(), values.end(), squares.begin(), [](double v) { return v * v; });
  const std::vector<double> second = expected_best(squares, 150, Direction::maximize);
  for (std::size_t k = 0; k < 150; ++k) {
    const double variance = std::max(0.0, second[k] - exact[k] * exact[k]);
    EXPECT_NEAR(mean[k], exact[k], 4.0 * std::sqrt(variance / permutations) + 1e-9) << k;
  }
  EXPECT_EQ(mean.back(), *std::max_element(values.begin(), values.end()));
  EXPECT_NE(mean, exact);
}

TEST(MeanRunningBest, IsTheSameForEverybody) {
  const std::vector<double> values{3.0, 1.0, 2.0};
  EXPECT_EQ(mean_running_best(values, 3, 7, Direction::maximize),
            mean_running_best(values, 3, 7, Direction::maximize));
  EXPECT_EQ(mean_running_best(values, 3, 7, Direction::minimize).back(), 1.0);
}

// A shuffled whole order has the same beginning as one that is only begun.
TEST(MeanRunningBest, IsOverWholeOrders) {
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(static_cast<double>(i * 7919 % 503));
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sim::shuffle(order, {.seed = 0x66'69'67'32'61, .purpose = sim::Purpose::bootstrap, .entity = 0});
  std::vector<double> bests;
  for (std::size_t k = 0; k < 40; ++k) {
    bests.push_back(std::max(values[order[k]], k == 0 ? 0.0 : bests.back()));
  }
  EXPECT_EQ(mean_running_best(values, 40, 1, Direction::maximize), bests);
}

// Where most jobs failed, and where the best are few, terms that are too small are not summed.
TEST(ExpectedBest, IsTheSumOfAllTerms) {
  for (const int failures : {0, 60, 99, 100}) {
    std::vector<double> values(static_cast<std::size_t>(failures), 0.0);
    for (int i = failures; i < 100; ++i) values.push_back(1.0 + 0.1 * i * i);
    const std::vector<double> found = expected_best(values, 50, Direction::maximize);
    for (std::size_t k = 1; k <= 50; ++k) {
      double weight = static_cast<double>(k) / 100.0;
      double sum = 0.0;
      for (std::size_t i = 100; i >= k; --i) {
        sum += weight * values[i - 1];
        if (i > 1) weight *= static_cast<double>(i - k) / static_cast<double>(i - 1);
      }
      EXPECT_EQ(found[k - 1], sum) << failures << " " << k;
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
