#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/searchers/registry.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

const Configuration origin{0, 0, 0, 0, 0, 0, 0, 0};

using Score = std::function<double(const Configuration&)>;

std::size_t distance(const Configuration& a, const Configuration& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1U : 0U;
  return different;
}

double sum_of(const Configuration& config) {
  double sum = 100.0;
  for (const std::int64_t value : config) sum += static_cast<double>(value);
  return sum;
}

/// What is proposed after the origin of the wide box and a worse configuration, which tell the
/// searcher that configurations differ.
std::vector<Configuration> proposed(const std::string& text, std::int64_t trials,
                                    const Score& score) {
  static const SearchSpace space = wide_box();
  const auto searcher =
      make_searcher(parse_searcher(text, "test"),
                    {.space = space, .seed = 5, .trials = trials, .baseline = origin});
  ToldTrial first = told(0, origin);
  first.score = score(origin);
  searcher->tell(first);
  ToldTrial failed = told(1, searcher->ask()->config);
  failed.state = scenarios::TrialState::fail;
  searcher->tell(failed);
  return drive(*searcher, trials - 2, [&](std::int64_t trial, const Configuration& config) {
    ToldTrial outcome = told(trial + 2, config);
    outcome.score = score(config);
    return outcome;
  });
}

TEST(Annealing, CannotLeaveAPeakWhileCold) {
  // Everything is half as good as the origin: at a temperature of 0.001 never taken, so all
  // proposals are neighbours of the origin.
  const auto peak = [](const Configuration& config) { return config == origin ? 2.0 : 1.0; };
  for (const Configuration& config : proposed("annealing:hot=0.001:cold=0.001", 50, peak)) {
    EXPECT_EQ(distance(config, origin), 1U);
  }
}

TEST(Annealing, WalksAtRandomWhileHot) {
  const auto peak = [](const Configuration& config) { return config == origin ? 2.0 : 1.0; };
  const auto walk = proposed("annealing:hot=1000000:cold=1000000", 60, peak);
  EXPECT_GE(distance(walk.back(), origin), 5U);
  // Now and then it steps back to where it was, which is no launch.
  int far = 0;
  for (std::size_t i = 1; i < walk.size(); ++i) far += distance(walk[i], walk[i - 1]) > 1 ? 1 : 0;
  EXPECT_LE(far, 6);
}

TEST(Annealing, TakesALossAsOftenAsItsTemperatureSays) {
  // At a temperature of 1 a step that takes twice as long is taken with probability 1 / e. The
  // second proposal is a neighbour of the first if that was taken: else of the origin.
  const SearchSpace space = wide_box();
  int taken = 0;
  constexpr int seeds = 2'000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto searcher =
        make_searcher(parse_searcher("annealing:hot=1:cold=1", "test"),
                      {.space = space, .seed = seed, .trials = 100, .baseline = origin});
    ToldTrial first = told(0, origin);
    first.score = 4.0;
    searcher->tell(first);
    ToldTrial failed = told(1, searcher->ask()->config);
    failed.state = scenarios::TrialState::fail;
    searcher->tell(failed);
    ToldTrial loss = told(2, searcher->ask()->config);
    loss.score = 2.0;
    searcher->tell(loss);
    const Configuration next = searcher->ask()->config;
    // A neighbour of both has changed the same knob again: one in eight of those of each.
    taken += distance(next, origin) == 2 ? 1 : 0;
  }
  EXPECT_NEAR(taken, seeds * 0.3679 * 7.0 / 8.0, 110.0);  // five standard deviations
}

TEST(Annealing, ClimbsASlopeAsItCools) {
  const auto walk = proposed("annealing", 200, sum_of);
  double late = 0.0;
  for (std::size_t i = walk.size() - 20; i < walk.size(); ++i) late += sum_of(walk[i]) / 20.0;
  EXPECT_GT(late, 100.0 + 8 * 3.5 + 15.0);  // a random one has 28, the top 56
}

TEST(Annealing, EntersNoFailure) {
  // Whatever has a first value above 0 fails. So every proposal is a neighbour of a success.
  const SearchSpace space = wide_box();
  const auto searcher =
      make_searcher(parse_searcher("annealing:hot=1000:cold=1000", "test"),
                    {.space = space, .seed = 2, .trials = 300, .baseline = origin});
  ToldTrial first = told(0, origin);
  first.score = 1.0;
  searcher->tell(first);
  std::vector<Configuration> successes{origin};
  for (std::int64_t trial = 1; trial < 200; ++trial) {
    const Configuration config = searcher->ask()->config;
    // The first is random, as nothing told configurations apart.
    EXPECT_TRUE(trial == 1 || std::ranges::any_of(successes, [&](const Configuration& one) {
                  return distance(config, one) == 1;
                }));
    ToldTrial outcome = told(trial, config);
    if (trial == 1 || config[0] > 0) {
      outcome.state = scenarios::TrialState::fail;
    } else {
      outcome.score = 1.0;
      successes.push_back(config);
    }
    searcher->tell(outcome);
  }
  EXPECT_GT(successes.size(), 100U);
}

}  // namespace
}  // namespace cubicbench::search
