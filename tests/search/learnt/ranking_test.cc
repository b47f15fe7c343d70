#include "search/learnt/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "search/learnt/candidates_ranked.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using testing::ElementsAre;

double sum(const Configuration& config, double) {
  double total = 0.0;
  for (const std::int64_t value : config) total += static_cast<double>(value);
  return total;
}

TEST(Ranking, KeepsTheBestOnceAndNoneThatWasProposed) {
  const scenarios::SearchSpace space = box();
  Unproposed unproposed(space, 1);
  unproposed.take(Configuration{3, 7, 1});
  Ranking ranking(space, unproposed, 2, sum);
  EXPECT_TRUE(ranking.empty());
  ranking.add({0, 1, 0});
  ranking.add({3, 7, 1});  // was proposed
  ranking.add({2, 2, 0});
  ranking.add({2, 2, 0});
  ranking.add({1, 3, 0});  // as good, but later
  ranking.add({0, 5, 0});
  EXPECT_THAT(ranking.configs(), ElementsAre(Configuration{0, 5, 0}, Configuration{2, 2, 0}));
}

TEST(RankCandidates, ClimbsToTheTop) {
  const scenarios::SearchSpace space = wide_box();
  const Unproposed unproposed(space, 1);
  Ranking ranking(space, unproposed, 3, sum);
  RandomStream random(1, Stream::decision, 0);
  rank_candidates(space, {Configuration(8, 0)}, {.mutations = 0, .random = 0}, ranking, random);
  EXPECT_EQ(ranking.best(), Configuration(8, 7));
}

TEST(RankCandidates, OfASmallSpaceIsAllOfIt) {
  const scenarios::SearchSpace space = conditional();
  const Unproposed unproposed(space, 1);
  Ranking ranking(space, unproposed, 1'000, sum);
  RandomStream random(1, Stream::decision, 0);
  rank_candidates(space, {}, {.mutations = 0, .random = 5'000}, ranking, random);
  EXPECT_EQ(ranking.configs().size(), space.count());
}

}  // namespace
}  // namespace cubicbench::search
