#include "results/studies/search_curve.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

using scenarios::Direction;

constexpr std::optional<double> failed = std::nullopt;

TEST(RunningBest, FailuresCountAndNothingIsBestBeforeTheFirstSuccess) {
  const Values values{failed, 3.0, 2.0, failed, 5.0, 5.0};
  EXPECT_EQ(running_best(values, Direction::maximize), (Values{failed, 3.0, 3.0, 3.0, 5.0, 5.0}));
  EXPECT_EQ(running_best(values, Direction::minimize), (Values{failed, 3.0, 2.0, 2.0, 2.0, 2.0}));
  EXPECT_EQ(running_best(without_failures(values), Direction::maximize),
            (Values{3.0, 3.0, 5.0, 5.0}));
  EXPECT_TRUE(running_best({}, Direction::maximize).empty());
}

TEST(FailureValue, IsNoThroughputOrTheWorstTime) {
  const Values values{failed, 3.0, 2.0};
  EXPECT_EQ(filled(values, Direction::maximize), (std::vector<double>{0.0, 3.0, 2.0}));
  EXPECT_EQ(filled(values, Direction::minimize), (std::vector<double>{3.0, 3.0, 2.0}));
  EXPECT_EQ(filled(Values{failed}, Direction::minimize), (std::vector<double>{0.0}));
}

TEST(SeedBand, GoesAsFarAsHalfOfTheStudies) {
  // Running bests: 0 4 4, 2 2 6, 8 8 (a failure counts as 0 before the first success).
  const std::vector<Values> studies{{failed, 4.0, 3.0}, {2.0, 1.0, 6.0}, {8.0, failed}};
  const SeedBand band = seed_band(studies, Direction::maximize);
  // The third launch has only the first two: 4 and 6.
  EXPECT_EQ(band.median, (std::vector<double>{2.0, 4.0, 5.0}));
  EXPECT_EQ(band.low, (std::vector<double>{1.0, 3.0, 4.5}));
  EXPECT_EQ(band.high, (std::vector<double>{5.0, 6.0, 5.5}));
  const std::vector<Values> one_goes_on{{1.0, 2.0, 3.0}, {1.0}, {1.0}};
  EXPECT_EQ(seed_band(one_goes_on, Direction::maximize).median, (std::vector<double>{1.0}));
  const std::vector<Values> half{{1.0, 2.0}, {3.0}};
  EXPECT_EQ(seed_band(half, Direction::maximize).median, (std::vector<double>{2.0, 2.0}));
  EXPECT_TRUE(seed_band({}, Direction::maximize).median.empty());
}

}  // namespace
}  // namespace cubicbench::results
