#include "sim/base/slowest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/philox.h"
#include "tests/sim/base/slowest_sd.h"

namespace cubicbench::sim {
namespace {

TEST(Slowest, MatchesHandComputedMoments) {
  EXPECT_DOUBLE_EQ(slowest_mean(2.0, 1), 2.0);
  EXPECT_DOUBLE_EQ(slowest_mean(2.0, 3), 2.0 * (1.0 + 1.0 / 2.0 + 1.0 / 3.0));
  EXPECT_DOUBLE_EQ(slowest_sd(2.0, 1), 2.0);
  EXPECT_DOUBLE_EQ(slowest_sd(2.0, 3), 2.0 * 7.0 / 6.0);  // 1 + 1/4 + 1/9 = 49/36
  // H_n -> ln n + 0.5772156649, and the sum of squares -> pi^2 / 6.
  EXPECT_NEAR(slowest_mean(1.0, 1'000'000), 13.815510558 + 0.5772156649 + 0.5e-6, 1e-9);
  EXPECT_NEAR(slowest_sd(1.0, 1'000'000), 3.14159265359 / std::sqrt(6.0), 1e-6);
}

TEST(Slowest, MatchesHandComputedQuantiles) {
  struct Case {
    const char* name;
    std::int64_t n;
    double p;
    double expected;
  };
  for (const Case& c : {Case{"the median of one exponential is ln 2", 1, 0.5, 0.69314718056},
                        Case{"of two: (1 - e^-x)^2 = 1/4, e^-x = 1/2", 2, 0.25, 0.69314718056},
                        Case{"of three: (1 - e^-x)^3 = 1/8", 3, 0.125, 0.69314718056},
                        Case{"nothing is below 0", 5, 0.0, 0.0}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(slowest_quantile(1.0, c.n, c.p), c.expected, 1e-11);
    EXPECT_NEAR(slowest_quantile(0.25, c.n, c.p), 0.25 * c.expected, 1e-11);
  }
  EXPECT_EQ(slowest_quantile(0.0, 8, 0.9), 0.0);
}

// The same formula in extended precision, where nothing cancels that matters to a double.
TEST(Slowest, QuantilesKeepTheirDigitsForManyWorkersAndAtBothEnds) {
  for (const std::int64_t n : {1LL, 2LL, 8LL, 512LL, 16'384LL, 131'072LL, 1'000'000'000LL}) {
    for (const double p : {1e-12, 1e-3, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-12,
                           1.0 - std::numeric_limits<double>::epsilon()}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", p = " << p);
      const long double root = std::log(static_cast<long double>(p)) / static_cast<long double>(n);
      const long double exact =
          root > -0.7L ? -std::log(-std::expm1(root)) : -std::log1p(-std::exp(root));
      EXPECT_NEAR(slowest_quantile(1.0, n, p) / static_cast<double>(exact), 1.0, 2e-14);
    }
  }
}

TEST(Slowest, GrowsWithProbabilityAndWorkers) {
  for (std::int64_t n = 1; n <= 65'536; n *= 4) {
    for (double p = 0.05; p < 0.95; p += 0.05) {
      EXPECT_LT(slowest_quantile(1.0, n, p), slowest_quantile(1.0, n, p + 0.05));
      EXPECT_LT(slowest_quantile(1.0, n, p), slowest_quantile(1.0, 2 * n, p));
    }
  }
}

// Brute force: draw every worker, keep the largest.
TEST(Slowest, AgreesWithDrawingEveryWorker) {
  struct Case {
    std::int64_t n;
    int samples;
  };
  for (const Case& c : {Case{8, 20'000}, Case{512, 2'000}, Case{16'384, 200}}) {
    SCOPED_TRACE(c.n);
    std::vector<double> largest(static_cast<std::size_t>(c.samples));
    double sum = 0.0;
    for (std::size_t s = 0; s < largest.size(); ++s) {
      double u = 0.0;  // the exponential grows with its uniform number
      for (std::int64_t worker = 0; worker < c.n; ++worker) {
        u = std::max(u, uniform({.seed = static_cast<std::uint64_t>(c.n),
                                 .entity = s,
                                 .draw = static_cast<std::uint32_t>(worker)}));
      }
      largest[s] = -std::log(1.0 - u);
      sum += largest[s];
    }
    const double samples = c.samples;
    EXPECT_NEAR(sum / samples, slowest_mean(1.0, c.n),
                4.0 * slowest_sd(1.0, c.n) / std::sqrt(samples));
    for (const double p : {0.05, 0.1, 0.5, 0.9, 0.95}) {
      const double x = slowest_quantile(1.0, c.n, p);
      const auto below = std::ranges::count_if(largest, [&](double v) { return v <= x; });
      EXPECT_NEAR(static_cast<double>(below) / samples, p, 4.0 * std::sqrt(p * (1.0 - p) / samples))
          << p;
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
