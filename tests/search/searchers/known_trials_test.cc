#include "search/searchers/known_trials.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr double infinity = std::numeric_limits<double>::infinity();

ToldTrial success(const Configuration& config, double score) {
  ToldTrial trial = told(0, config);
  trial.score = score;
  return trial;
}

ToldTrial failure(const Configuration& config, std::optional<double> over_bytes = {}) {
  ToldTrial trial = told(0, config);
  trial.state = scenarios::TrialState::fail;
  trial.over_bytes = over_bytes;
  return trial;
}

TEST(Fitness, RanksSuccessesByScoreAndFailuresBelowByBytes) {
  const std::vector<ToldTrial> worst_first{failure({0}),      failure({0}, 2e9),
                                           failure({0}, 1e9), success({0}, -9.0),
                                           success({0}, 0.0), success({0}, 7.0)};
  for (std::size_t i = 1; i < worst_first.size(); ++i) {
    EXPECT_LT(fitness_of(worst_first[i - 1]), fitness_of(worst_first[i])) << i;
  }
  // A complete trial without a number is a failure; one that was pruned too.
  EXPECT_EQ(fitness_of(told(0, {0})), fitness_of(failure({0})));
  ToldTrial pruned = success({0}, 1.0);
  pruned.state = scenarios::TrialState::pruned;
  EXPECT_EQ(fitness_of(pruned), fitness_of(failure({0})));
  EXPECT_EQ(fitness_of(success({0}, std::numeric_limits<double>::quiet_NaN())),
            fitness_of(failure({0})));
}

TEST(ShareOf, IsARatioOfSpeedsOrAnInverseOneOfTimes) {
  EXPECT_DOUBLE_EQ(share_of(30.0, 40.0), 0.75);    // tokens per second
  EXPECT_DOUBLE_EQ(share_of(-40.0, -30.0), 0.75);  // seconds, told as negative scores
  EXPECT_DOUBLE_EQ(share_of(40.0, 40.0), 1.0);
  EXPECT_DOUBLE_EQ(share_of(50.0, 40.0), 1.0);
  EXPECT_DOUBLE_EQ(share_of(-1.0, 2.0), 0.0);
  EXPECT_DOUBLE_EQ(share_of(0.0, 2.0), 0.0);
  EXPECT_DOUBLE_EQ(share_of(-3.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(share_of(infinity, infinity), 1.0);
  EXPECT_DOUBLE_EQ(share_of(1.0, infinity), 0.0);
  EXPECT_DOUBLE_EQ(share_of(-infinity, -1.0), 0.0);
}

TEST(KnownTrials, TellApartOnceTwoDiffer) {
  const auto space = box();
  KnownTrials known(space);
  EXPECT_FALSE(known.tell_apart());
  EXPECT_EQ(known.of({0, 0, 0}), std::nullopt);
  known.add(failure({0, 0, 0}));
  known.add(failure({1, 0, 0}));
  EXPECT_FALSE(known.tell_apart());
  known.add(success({2, 0, 0}, 5.0));
  EXPECT_TRUE(known.tell_apart());
  EXPECT_EQ(known.of({1, 0, 0}), fitness_of(failure({1, 0, 0})));
  EXPECT_EQ(known.of({2, 0, 0}), fitness_of(success({2, 0, 0}, 5.0)));
  EXPECT_EQ(known.of({2, 1, 0}), std::nullopt);
}

struct Candidate {
  Configuration config;
};

TEST(FreshDraw, PassesOverWhatIsKnownAndLearnsFromIt) {
  const auto space = box();
  KnownTrials known(space);
  Unproposed unproposed(space, 1);
  unproposed.take(Configuration{0, 0, 0});
  unproposed.take(Configuration{0, 1, 0});
  known.add(success({0, 1, 0}, 5.0));
  // Running, known, rejected, and then two that are fresh.
  const std::vector<std::optional<Candidate>> draws{Candidate{{0, 0, 0}}, Candidate{{0, 1, 0}},
                                                    std::nullopt, Candidate{{0, 2, 0}},
                                                    Candidate{{0, 3, 0}}};
  std::size_t next = 0;
  std::vector<Configuration> learnt;
  const auto found = fresh_draw(
      unproposed, known, [&] { return draws[next++]; },
      [&](const Candidate& candidate, const Fitness& fitness) {
        EXPECT_EQ(fitness.value, 5.0);
        learnt.push_back(candidate.config);
      });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->config, (Configuration{0, 2, 0}));
  EXPECT_EQ(learnt, (std::vector<Configuration>{{0, 1, 0}}));
  EXPECT_FALSE(unproposed.take(Configuration{0, 2, 0}));
  EXPECT_TRUE(unproposed.take(Configuration{0, 3, 0}));
}

TEST(FreshDraw, GivesUpAfterAHundred) {
  const auto space = box();
  const KnownTrials known(space);
  Unproposed unproposed(space, 1);
  unproposed.take(Configuration{0, 0, 0});
  int draws = 0;
  const auto found = fresh_draw(
      unproposed, known,
      [&] {
        ++draws;
        return std::optional(Candidate{{0, 0, 0}});
      },
      [](const Candidate&, const Fitness&) { ADD_FAILURE(); });
  EXPECT_FALSE(found.has_value());
  EXPECT_EQ(draws, 100);
}

}  // namespace
}  // namespace cubicbench::search
