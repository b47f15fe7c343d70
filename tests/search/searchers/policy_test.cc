#include "search/searchers/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "search/searchers/candidate_pool.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

TEST(Policy, BeginsWithTheSharesOfTheSpace) {
  // Of the eight configurations of the diagonal each has another value of every parameter.
  const scenarios::SearchSpace space = diagonal();
  const Policy policy(space, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t v = 0; v < 8; ++v) EXPECT_NEAR(policy.probability(i, v), 0.125, 0.03);
  }
}

TEST(Policy, DrawsConfigurationsOfTheSpaceAlone) {
  for (const scenarios::SearchSpace& space : {conditional(), diagonal(), box(), single()}) {
    const Policy policy(space, 2);
    std::set<Configuration> seen;
    for (std::uint64_t draw = 0; draw < 2'000; ++draw) {
      Configuration config(space.size());
      policy.sample(3, draw, config);
      ASSERT_TRUE(space.contains(config));
      seen.insert(config);
      Configuration again(space.size());
      policy.sample(3, draw, again);
      EXPECT_EQ(again, config);
    }
    EXPECT_GT(2 * seen.size(), space.count());
  }
}

TEST(Policy, ScoreIsTheSlopeOfTheLogProbability) {
  // d ln p(v) / d logit(w) = [v = w] - p(w); parameters that are not active have no slope.
  const scenarios::SearchSpace space = conditional();
  const Policy policy(space, 4);
  const Configuration config{1, 0, scenarios::inactive, scenarios::inactive, 2};
  ASSERT_TRUE(space.contains(config));
  std::vector<double> slopes(policy.size());
  policy.add_score(config, 2.0, slopes);
  EXPECT_NEAR(slopes[1], 2.0 * (1.0 - policy.probability(0, 1)), 1e-12);
  EXPECT_NEAR(slopes[0], -2.0 * policy.probability(0, 0), 1e-12);
  for (const std::size_t of_inactive : {7U, 8U, 9U, 10U, 11U}) EXPECT_EQ(slopes[of_inactive], 0.0);
}

TEST(Policy, EntropySlopeIsThatOfFiniteDifferences) {
  const scenarios::SearchSpace space = conditional();
  const Policy policy(space, 4);
  const auto entropy = [&](const Policy& of) {
    double sum = 0.0;
    for (std::size_t i = 0; i < space.size(); ++i) {
      for (std::size_t v = 0; v < space.parameters()[i].values.size(); ++v) {
        sum -= of.probability(i, v) * std::log(of.probability(i, v));
      }
    }
    return sum;
  };
  std::vector<double> slopes(policy.size());
  policy.add_entropy(1.0, slopes);
  for (std::size_t i = 0; i < policy.size(); ++i) {
    std::vector<double> by(policy.size());
    Policy up = policy;
    by[i] = 1e-5;
    up.move(by);
    Policy down = policy;
    by[i] = -1e-5;
    down.move(by);
    EXPECT_NEAR(slopes[i], (entropy(up) - entropy(down)) / 2e-5, 1e-6) << i;
  }
}

TEST(Reinforce, ConcentratesOnTheOptimumOfASeparableReward) {
  const scenarios::SearchSpace space = wide_box();
  const auto best = [](std::size_t parameter) { return static_cast<std::int64_t>(parameter); };
  const Reward reward = [&](std::span<const Configuration> configs, std::span<double> rewards) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      rewards[i] = 0.0;
      for (std::size_t p = 0; p < space.size(); ++p) rewards[i] += configs[i][p] == best(p);
    }
  };
  const Policy policy = reinforce(space, 5, {.steps = 2'000}, reward);
  for (std::size_t p = 0; p < space.size(); ++p) EXPECT_GT(policy.probability(p, p), 0.9) << p;
}

TEST(CandidatePool, JudgesEachConfigurationOnce) {
  const scenarios::SearchSpace space = box();
  int judged = 0;
  CandidatePool pool(space, [&](std::span<const Configuration> configs, std::span<double> rewards) {
    judged += static_cast<int>(configs.size());
    for (std::size_t i = 0; i < configs.size(); ++i) {
      rewards[i] = static_cast<double>(space.number_of(configs[i]) % 10);
    }
  });
  std::vector<Configuration> asked(3, Configuration(space.size()));
  space.configuration_at(7, asked[0]);
  space.configuration_at(12, asked[1]);
  space.configuration_at(7, asked[2]);
  std::vector<double> rewards(3);
  pool.reward()(asked, rewards);
  EXPECT_EQ(rewards, (std::vector<double>{7.0, 2.0, 7.0}));
  EXPECT_EQ(judged, 2);
  pool.add_all();
  EXPECT_EQ(judged, 64);
  const std::vector<Candidate> found = pool.best_first();
  ASSERT_EQ(found.size(), 64U);
  EXPECT_EQ(found[0].number, 9U);
  EXPECT_EQ(found[0].reward, 9.0);
  EXPECT_EQ(found[63].reward, 0.0);
}

}  // namespace
}  // namespace cubicbench::search
