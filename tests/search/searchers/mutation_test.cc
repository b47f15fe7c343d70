#include "search/searchers/mutation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::inactive;

constexpr int draws = 20'000;

std::map<Configuration, int> mutants(const scenarios::SearchSpace& space,
                                     const Configuration& from) {
  std::map<Configuration, int> times;
  for (std::uint64_t i = 0; i < draws; ++i) {
    RandomStream random(3, Stream::decision, i);
    Configuration configuration = from;
    if (mutate(space, configuration, random)) ++times[configuration];
  }
  return times;
}

// Of the box's three parameters each is chosen in a third of the draws, and each of its other 3, 7
// and 1 values equally often: 11 mutants. Five standard deviations of each count.
TEST(Mutate, ChangesOneParameterToAnyOtherValue) {
  const Configuration from{1, 7, 0};
  const std::map<Configuration, int> times = mutants(box(), from);
  EXPECT_EQ(times.size(), 3U + 7U + 1U);
  constexpr std::array<int, 3> others{3, 7, 1};
  for (const auto& [mutant, observed] : times) {
    int changed = 0;
    double share = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (mutant[i] == from[i]) continue;
      ++changed;
      share = 1.0 / 3.0 / others[i];
    }
    EXPECT_EQ(changed, 1);
    const double expected = draws * share;
    EXPECT_NEAR(observed, expected, 5.0 * std::sqrt(expected)) << testing::PrintToString(mutant);
  }
}

// From pipeline 1 (no virtual stages): in half of the draws pipeline becomes 2, and then virtual
// stages 1, 2 or 3, and with 2 a context of 1 or 2, are drawn. In the other half micro_batch.
TEST(Mutate, DrawsValuesOfWhatItActivates) {
  const auto space = built({ordinal("pipeline_parallel", {1, 2}),
                            ordinal("virtual_stages", run_of(3), {{"pipeline_parallel", {2}}}),
                            ordinal("context_parallel", {1, 2}, {{"virtual_stages", {2}}}),
                            ordinal("micro_batch", {1, 2})});
  const std::map<Configuration, int> times = mutants(space, {0, inactive, inactive, 0});
  const std::map<Configuration, double> shares{{{0, inactive, inactive, 1}, 1.0 / 2},
                                               {{1, 0, inactive, 0}, 1.0 / 6},
                                               {{1, 1, 0, 0}, 1.0 / 12},
                                               {{1, 1, 1, 0}, 1.0 / 12},
                                               {{1, 2, inactive, 0}, 1.0 / 6}};
  ASSERT_EQ(times.size(), shares.size());
  for (const auto& [mutant, share] : shares) {
    EXPECT_NEAR(times.at(mutant), draws * share, 5.0 * std::sqrt(draws * share));
  }
}

TEST(Mutate, MarksWhatItSwitchesOff) {
  const auto space = built({ordinal("pipeline_parallel", {1, 2}),
                            ordinal("virtual_stages", {2}, {{"pipeline_parallel", {2}}})});
  // The only other value of the only parameter with two.
  EXPECT_EQ(mutants(space, {1, 0}), (std::map<Configuration, int>{{{0, inactive}, draws}}));
}

TEST(Mutate, SaysWhenAConstraintRejects) {
  // Every neighbour of a point of the diagonal lies off it.
  EXPECT_TRUE(mutants(diagonal(), {2, 2, 2}).empty());
  const auto space = conditional();
  for (const auto& [mutant, observed] : mutants(space, {3, 1, 0, inactive, 0})) {
    EXPECT_TRUE(space.contains(mutant)) << testing::PrintToString(mutant) << observed;
  }
}

TEST(Mutate, SaysWhenThereIsNothingToChange) {
  EXPECT_TRUE(mutants(single(), {0}).empty());
  EXPECT_TRUE(mutants(scenarios::SearchSpace(), {}).empty());
}

}  // namespace
}  // namespace cubicbench::search
