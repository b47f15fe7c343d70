#include "datasets/landscape/hill_climb.h"

#include <gtest/gtest.h>

#include "tests/datasets/landscape/made_up_judge.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Direction;
using Numbers = std::vector<std::uint64_t>;

std::optional<double> sum_of(const Configuration& c) {
  return static_cast<double>(c[0] + c[1] + c[2]);
}

TEST(HillClimb, ReachesTheTopOfASlopeFromEverywhere) {
  const scenarios::SearchSpace space = search::box();
  const Judge judge = made_up_judge(space, sum_of);
  for (std::uint64_t start = 0; start < space.count(); ++start) {
    const auto up = hill_climb(space, Direction::maximize, judge, Numbers{start});
    ASSERT_TRUE(up);
    EXPECT_EQ(up->number, space.number_of(Configuration{3, 7, 1}));
    EXPECT_LE(up->evaluations, space.count());
    const auto down = hill_climb(space, Direction::minimize, judge, Numbers{start});
    EXPECT_EQ(down->number, 0U);
    EXPECT_EQ(down->value, 1.0);
  }
}

TEST(HillClimb, CrossesAValleyOfOneStepAndNoWiderOne) {
  // Worth 0, 4 where all are last, and -1 where some are: from 0 all `needed` must change at once.
  const scenarios::SearchSpace space = search::box();
  struct Case {
    std::size_t needed;
    double expected;
  };
  for (const Case& c : {Case{1, 4.0}, Case{2, 4.0}, Case{3, 0.0}}) {
    const auto worth = [&](const Configuration& configuration) -> std::optional<double> {
      std::size_t last = 0;
      for (std::size_t i = 0; i < c.needed; ++i) {
        const auto values = std::ssize(space.parameters()[i].values);
        last += configuration[i] == values - 1 ? 1U : 0U;
      }
      if (last == c.needed) return 4.0;
      return last > 0 ? -1.0 : 0.0;
    };
    const auto top =
        hill_climb(space, Direction::maximize, made_up_judge(space, worth), Numbers{0});
    ASSERT_TRUE(top);
    EXPECT_EQ(top->value, sim::exp(c.expected)) << c.needed;
  }
}

TEST(HillClimb, OfEqualSummitsTakesTheFirstItReachedAndOfWorseNone) {
  const scenarios::SearchSpace space = search::box();
  const auto flat = [](const Configuration&) { return std::optional(0.0); };
  const auto top =
      hill_climb(space, Direction::maximize, made_up_judge(space, flat), Numbers{40, 3, 3});
  ASSERT_TRUE(top);
  EXPECT_EQ(top->number, 40U);
}

TEST(HillClimb, StartsOnlyFromWhatRuns) {
  const scenarios::SearchSpace space = search::box();
  const auto never = [](const Configuration&) { return std::optional<double>(); };
  const Judge judge = made_up_judge(space, never);
  EXPECT_FALSE(hill_climb(space, Direction::maximize, judge, Numbers{1, 2}));
  EXPECT_FALSE(hill_climb(space, Direction::maximize, judge, {}));
}

}  // namespace
}  // namespace cubicbench::datasets
