#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/workload/recommendation.h"

namespace cubicbench::sim {
namespace {

constexpr double skews[] = {0.0, 0.3, 0.6, 0.8, 0.9, 1.0, 1.05, 1.2, 1.5};
constexpr int sizes[] = {100, 1000, 20'000};

/// Chances that one access asks for the k-th most popular row.
std::vector<double> chances(int rows, double skew) {
  std::vector<double> p;
  double sum = 0.0;
  for (int k = 1; k <= rows; ++k) sum += p.emplace_back(std::pow(k, -skew));
  for (double& each : p) each /= sum;
  return p;
}

TEST(RowAccess, HitsAreThoseOfASumOverRows) {
  for (const double skew : skews) {
    for (const int rows : sizes) {
      const std::vector<double> p = chances(rows, skew);
      double sum = 0.0;
      for (int cached = 1; cached <= rows; ++cached) {
        sum += p[static_cast<std::size_t>(cached - 1)];
        const double share = hit_share({.rows = static_cast<double>(rows), .skew = skew}, cached);
        // An integral from 1/2 is more than the first terms of a sum.
        EXPECT_NEAR(share / sum, 1.0, cached < 5 ? 0.11 : 0.05)
            << skew << ' ' << rows << ' ' << cached;
      }
    }
  }
}

TEST(RowAccess, DistinctRowsAreThoseOfASumOverRows) {
  for (const double skew : skews) {
    for (const int rows : sizes) {
      const std::vector<double> p = chances(rows, skew);
      for (const double draws : {1.0, 3.0, 10.0, 100.0, 1e3, 3e3, 1e4, 1e5, 1e6}) {
        double sum = 0.0;
        for (const double each : p) sum -= std::expm1(-draws * each);
        EXPECT_NEAR(distinct_rows({.rows = static_cast<double>(rows), .skew = skew}, draws) / sum,
                    1.0, 0.05)
            << skew << ' ' << rows << ' ' << draws;
      }
    }
  }
}

TEST(RowAccess, HasItsLimits) {
  for (const double skew : skews) {
    SCOPED_TRACE(skew);
    const RowAccess access{.rows = 1e6, .skew = skew};
    EXPECT_EQ(hit_share(access, 0.0), 0.0);
    EXPECT_EQ(hit_share(access, 1e6), 1.0);
    EXPECT_EQ(hit_share(access, 2e6), 1.0);
    EXPECT_NEAR(hit_share(access, 1e6 - 1e-3), 1.0, 1e-6);
    EXPECT_EQ(distinct_rows(access, 0.0), 0.0);
    EXPECT_NEAR(distinct_rows(access, 1e14) / 1e6, 1.0, 1e-3);
    EXPECT_LE(distinct_rows(access, 1e14), 1e6);
    EXPECT_LE(distinct_rows(access, 0.5), 0.5);
    EXPECT_EQ(hit_share({.rows = 1.0, .skew = skew}, 1.0), 1.0);
    EXPECT_NEAR(distinct_rows({.rows = 1.0, .skew = skew}, 100.0), 1.0, 0.05);
  }
}

TEST(RowAccess, AllRowsAlikeAreHitByTheirShare) {
  EXPECT_NEAR(hit_share({.rows = 1000.0}, 250.0), 0.25, 1e-12);
}

TEST(RowAccess, MoreNeverTouchesLessAndASteeperLawHitsMore) {
  for (const double rows : {1.0, 10.0, 1e3, 1e8}) {
    double hits_of_flatter = 0.0;
    for (const double skew : skews) {
      const RowAccess access{.rows = rows, .skew = skew};
      double before = 0.0;
      for (double draws = 0.1; draws < 1e12; draws *= 1.3) {
        const double now = distinct_rows(access, draws);
        EXPECT_GE(now, before * (1.0 - 1e-9)) << rows << ' ' << skew << ' ' << draws;
        before = now;
      }
      double share = 0.0;
      for (double cached = 0.0; cached <= rows; cached += rows / 50.0) {
        const double now = hit_share(access, cached);
        EXPECT_GE(now, share);
        share = now;
      }
      const double hits = hit_share(access, 0.1 * rows);
      EXPECT_GE(hits, hits_of_flatter * (1.0 - 1e-9));
      hits_of_flatter = hits;
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
