#include "support/statistics/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace cubicbench::support {
namespace {

using List = std::vector<double>;
using Hits = std::vector<std::optional<std::int64_t>>;

TEST(Profile, CountsWhatReachesEachThreshold) {
  EXPECT_EQ(share_reaching(List{0.1, 0.5, 0.5, 0.9}, List{0.0, 0.5, 0.95}), (List{1.0, 0.75, 0.0}));
}

// Problem 0: costs 2 and 4; problem 1: only the second solves it; problem 2: nobody; 3: equal.
TEST(Profile, ComparesCostsWithTheLeast) {
  const std::vector<std::vector<std::optional<double>>> costs{{2, {}, {}, 5}, {4, 9, {}, 5}};
  const auto profiles = performance_profiles(costs, List{1.0, 2.0});
  EXPECT_EQ(profiles[0], (List{0.5, 0.5}));
  EXPECT_EQ(profiles[1], (List{0.5, 0.75}));
}

TEST(Profile, SpreadsTargetsEvenly) {
  const List targets = log_targets(1.0, 1e-5);
  ASSERT_EQ(targets.size(), 51U);
  EXPECT_EQ(targets.front(), 1.0);
  EXPECT_EQ(targets.back(), 1e-5);
  for (std::size_t i = 1; i < targets.size(); ++i) {
    EXPECT_NEAR(targets[i] / targets[i - 1], std::pow(10.0, -0.1), 1e-12);
  }
}

TEST(Profile, FindsWhenTargetsAreHit) {
  const List curve{1.0, 0.4, 0.4, 0.1};
  EXPECT_EQ(first_hits(curve, List{2.0, 0.5, 0.1, 0.01}), (Hits{1, 2, 4, {}}));
  EXPECT_EQ(hits_within(first_hits(curve, List{2.0, 0.5, 0.1, 0.01}), 4),
            (List{0.25, 0.5, 0.5, 0.75}));
}

// Two of three runs hit after 10 and 30 launches, the third spends 100: 140 / 2.
TEST(Profile, ExpectsTheRuntimeOfRestarts) {
  const std::vector<Runtime> runs{{10, true}, {100, false}, {30, true}};
  EXPECT_EQ(expected_runtime(runs), 70.0);
  const std::vector<double> restarts = *simulated_restarts(runs, 20'000);
  const double mean = std::accumulate(restarts.begin(), restarts.end(), 0.0) / 20'000.0;
  EXPECT_NEAR(mean, 70.0, 1.5);
  EXPECT_FALSE(expected_runtime(std::vector<Runtime>{{100, false}}));
  EXPECT_FALSE(simulated_restarts(std::vector<Runtime>{{100, false}}, 5));
}

}  // namespace
}  // namespace cubicbench::support
