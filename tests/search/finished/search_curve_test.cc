#include "search/finished/search_curve.h"

#include <gtest/gtest.h>

namespace cubicbench::search {
namespace {

using scenarios::Direction;

constexpr std::optional<double> failed = std::nullopt;

TEST(RunningBest, FailuresCountAndNothingIsBestBeforeTheFirstSuccess) {
  const Values values{failed, 3.0, 2.0, failed, 5.0, 5.0};
  EXPECT_EQ(running_best(values, Direction::maximize), (Values{failed, 3.0, 3.0, 3.0, 5.0, 5.0}));
  EXPECT_EQ(running_best(values, Direction::minimize), (Values{failed, 3.0, 2.0, 2.0, 2.0, 2.0}));
  EXPECT_TRUE(running_best({}, Direction::maximize).empty());
}

TEST(FailureValue, IsNoThroughputOrTheWorstTime) {
  const Values values{failed, 3.0, 2.0};
  EXPECT_EQ(filled(values, Direction::maximize), (std::vector<double>{0.0, 3.0, 2.0}));
  EXPECT_EQ(filled(values, Direction::minimize), (std::vector<double>{3.0, 3.0, 2.0}));
  EXPECT_EQ(filled(Values{failed}, Direction::minimize), (std::vector<double>{0.0}));
}

TEST(AlignedBests, GoAsFarAsHalfOfTheStudies) {
  using Lists = std::vector<std::vector<double>>;
  // Running bests: 0 4 4, 2 2 6, 8 8 (a failure counts as 0 before the first success).
  const std::vector<Values> studies{{failed, 4.0, 3.0}, {2.0, 1.0, 6.0}, {8.0, failed}};
  // The third launch has only the first two.
  EXPECT_EQ(aligned_bests(studies, Direction::maximize),
            (Lists{{0.0, 2.0, 8.0}, {4.0, 2.0, 8.0}, {4.0, 6.0}}));
  const std::vector<Values> one_goes_on{{1.0, 2.0, 3.0}, {1.0}, {1.0}};
  EXPECT_EQ(aligned_bests(one_goes_on, Direction::maximize), (Lists{{1.0, 1.0, 1.0}}));
  const std::vector<Values> half{{1.0, 2.0}, {3.0}};
  EXPECT_EQ(aligned_bests(half, Direction::maximize), (Lists{{1.0, 3.0}, {2.0}}));
  EXPECT_TRUE(aligned_bests({}, Direction::maximize).empty());
}

}  // namespace
}  // namespace cubicbench::search
