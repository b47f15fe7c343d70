#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/searchers/registry.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::TrialState;

std::unique_ptr<Searcher> searcher(const std::string& text, const scenarios::SearchSpace& space) {
  return make_searcher(parse_searcher(text, "test"), {.space = space, .seed = 11, .trials = 100});
}

ToldTrial success(Configuration config, double score) {
  return {.trial = 0,
          .config = std::move(config),
          .state = TrialState::complete,
          .reason = Reason::none,
          .score = score,
          .over_bytes = {},
          .cost_gpu_hours = 1.0};
}

ToldTrial failure(Configuration config, std::optional<double> over_bytes = {}) {
  return {.trial = 0,
          .config = std::move(config),
          .state = TrialState::fail,
          .reason = Reason::oom_init,
          .score = {},
          .over_bytes = over_bytes,
          .cost_gpu_hours = 1.0};
}

std::size_t distance(const Configuration& a, const Configuration& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1U : 0U;
  return different;
}

// With 64 draws from three members the best takes part but for a chance of (2/3)^64 = 5e-12, so
// the next proposal differs from it in one parameter.
constexpr const char* greedy = "evolution:population=3:sample=64";

std::vector<Configuration> first_three(Searcher& evolution) {
  std::vector<Configuration> start;
  for (int i = 0; i < 3; ++i) start.push_back(evolution.ask()->config);
  return start;
}

TEST(Evolution, StartsAsRandomDoes) {
  const auto space = wide_box();
  const auto evolution = searcher("evolution:population=20", space);
  const auto random = searcher("random", space);
  for (int i = 0; i < 20; ++i) {
    const Configuration config = evolution->ask()->config;
    EXPECT_EQ(config, random->ask()->config);
    evolution->tell(success(config, i));
  }
  EXPECT_NE(evolution->ask()->config, random->ask()->config);
}

TEST(Evolution, MutatesTheBest) {
  const auto space = wide_box();
  for (std::size_t best = 0; best < 3; ++best) {
    const auto evolution = searcher(greedy, space);
    const std::vector<Configuration> start = first_three(*evolution);
    for (std::size_t i = 0; i < 3; ++i) evolution->tell(success(start[i], i == best ? 2.0 : 1.0));
    EXPECT_EQ(distance(evolution->ask()->config, start[best]), 1U);
  }
}

TEST(Evolution, PrefersTheWorstSuccessToAnyFailure) {
  const auto space = wide_box();
  const auto evolution = searcher(greedy, space);
  const std::vector<Configuration> start = first_three(*evolution);
  evolution->tell(failure(start[0], 0.0));
  evolution->tell(success(start[1], -1e300));
  ToldTrial penalised = failure(start[2]);
  penalised.score = 1e300;  // told beside the failure, and still a failure
  evolution->tell(penalised);
  EXPECT_EQ(distance(evolution->ask()->config, start[1]), 1U);
}

TEST(Evolution, TakesASuccessWithoutANumberForAFailure) {
  const auto space = wide_box();
  const auto evolution = searcher(greedy, space);
  const std::vector<Configuration> start = first_three(*evolution);
  evolution->tell(success(start[0], std::numeric_limits<double>::quiet_NaN()));
  ToldTrial missing = success(start[1], 0.0);
  missing.score = {};
  evolution->tell(missing);
  evolution->tell(success(start[2], -5.0));
  EXPECT_EQ(distance(evolution->ask()->config, start[2]), 1U);
}

TEST(Evolution, AmongFailuresPrefersTheNearestMiss) {
  const auto space = wide_box();
  const auto evolution = searcher(greedy, space);
  const std::vector<Configuration> start = first_three(*evolution);
  evolution->tell(failure(start[0], 9e9));
  evolution->tell(failure(start[1], 1e9));
  evolution->tell(failure(start[2]));
  EXPECT_EQ(distance(evolution->ask()->config, start[1]), 1U);
}

TEST(Evolution, TheOldestDiesHoweverGood) {
  const auto space = wide_box();
  const auto evolution = searcher(greedy, space);
  const std::vector<Configuration> start = first_three(*evolution);
  evolution->tell(success(start[0], 100.0));
  evolution->tell(success(start[1], 2.0));
  evolution->tell(success(start[2], 1.0));
  const Configuration child = evolution->ask()->config;
  EXPECT_EQ(distance(child, start[0]), 1U);
  evolution->tell(failure(child));
  EXPECT_EQ(distance(evolution->ask()->config, start[1]), 1U);
}

TEST(Evolution, GoesOnAtRandomWhileNothingIsTold) {
  const auto space = wide_box();
  const auto evolution = searcher(greedy, space);
  const auto random = searcher("random", space);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(evolution->ask()->config, random->ask()->config);
}

// On the diagonal no mutant is in the space, so only the fallback gets on.
TEST(Evolution, CoversASpaceWithoutNeighbours) {
  const auto space = diagonal();
  const auto evolution = searcher(greedy, space);
  for (int i = 0; i < 8; ++i) {
    const auto proposal = evolution->ask();
    ASSERT_TRUE(proposal.has_value());
    evolution->tell(success(proposal->config, 1.0));
  }
  EXPECT_FALSE(evolution->ask().has_value());
}

}  // namespace
}  // namespace cubicbench::search
