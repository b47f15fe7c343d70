#include "predictor/gaussian_process/wide_loops.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace cubicbench::predictor {
namespace {

constexpr std::size_t longest = 40;  ///< of five registers' lanes, and all remainders

/// -3, -2, -1, ...
std::vector<double> rising(std::size_t n) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(static_cast<double>(i) - 3.0);
  return numbers;
}

TEST(WideLoops, SumEveryProduct) {
  for (std::size_t n = 0; n < longest; ++n) {
    const std::vector<double> a = rising(n);
    std::vector<double> b;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      b.push_back(static_cast<double>(2 * i + 1));
      sum += a[i] * b[i];
    }
    EXPECT_EQ(dot(a, b), sum) << n;  // whole numbers: exact in any order
  }
}

TEST(WideLoops, SumTheSquaresOfFourAsOfOne) {
  for (std::size_t n = 0; n < longest; ++n) {
    std::vector<Four> four(n);
    std::array<std::vector<double>, 4> alone;
    for (std::size_t lane = 0; lane < alone.size(); ++lane) {
      for (std::size_t i = 0; i < n; ++i) {
        alone[lane].push_back(1.0 / static_cast<double>(i + lane + 3));
        four[i].lanes[lane] = alone[lane][i];
      }
    }
    Four sums{};
    squares(four, sums);
    for (std::size_t lane = 0; lane < alone.size(); ++lane) {
      EXPECT_EQ(sums.lanes[lane], dot(alone[lane], alone[lane])) << lane << " of " << n;
    }
  }
}

TEST(WideLoops, FindTheLargestWhereverItStands) {
  EXPECT_EQ(largest({}), 0.0);
  EXPECT_EQ(largest(std::vector{-2.0, -1.0}), 0.0);
  for (std::size_t n = 1; n < longest; ++n) {
    for (std::size_t place = 0; place < n; ++place) {
      std::vector<double> a(n, 0.25);
      a[place] = 0.5;
      EXPECT_EQ(largest(a), 0.5) << place << " of " << n;
    }
  }
}

TEST(WideLoops, MultiplyEachByItsOwn) {
  for (std::size_t n = 0; n < longest; ++n) {
    const std::vector<double> b = rising(n);
    const std::vector<double> c(n, 4.0);
    std::vector<double> products(n, 3.0);
    product(std::array<const double*, 3>{products.data(), b.data(), c.data()}, products);
    std::vector<double> ratios(n);
    divide(b, c, ratios);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(products[i], 3.0 * b[i] * 4.0) << i << " of " << n;
      EXPECT_EQ(ratios[i], b[i] / 4.0) << i << " of " << n;
    }
  }
}

}  // namespace
}  // namespace cubicbench::predictor
