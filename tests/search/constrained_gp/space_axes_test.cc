#include "search/constrained_gp/space_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(SpaceAxes, PlacesNumbersByTheirLogarithm) {
  const scenarios::SearchSpace space = built(
      {ordinal("tensor_parallel", {1, 2, 8}), ordinal("micro_batch", {1, 2, 4, 8, 16, 32, 64}),
       ordinal("context_parallel", {3, 5}), ordinal("pipeline_parallel", {4})});
  const SpaceAxes axes(space);
  EXPECT_THAT(axes.axes()[0].places, ElementsAre(0.0, DoubleEq(1.0 / 3.0), 1.0));
  EXPECT_THAT(axes.axes()[1].places, ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0, DoubleEq(1.25), 1.5));
  EXPECT_THAT(axes.axes()[2].places, ElementsAre(0.0, DoubleEq(0.5)));
  EXPECT_THAT(axes.axes()[3].places, ElementsAre(0.0));
}

TEST(SpaceAxes, HasLabels) {
  const SpaceAxes axes(labelled());
  EXPECT_FALSE(axes.axes()[0].labels);
  EXPECT_TRUE(axes.axes()[1].labels);
  EXPECT_EQ(axes.axes()[1].places.size(), 5U);
}

TEST(SpaceAxes, PutsAnInactiveKnobAtItsFirstLevel) {
  const SpaceAxes axes(conditional());
  const scenarios::Configuration config{3, 0, scenarios::inactive, scenarios::inactive, 1};
  EXPECT_THAT(axes.levels_of(config), ElementsAre(3, 0, 0, 0, 1));
}

TEST(SpaceAxes, SharesLevelsAmongManyValues) {
  const scenarios::SearchSpace space = built({ordinal("global_batch", run_of(1'000))});
  const SpaceAxes axes(space);
  EXPECT_LE(axes.axes()[0].places.size(), predictor::levels_max);
  const auto level = [&](std::int64_t value) {
    return axes.levels_of(scenarios::Configuration{value})[0];
  };
  EXPECT_EQ(level(0), 0);
  EXPECT_EQ(level(15), 0);
  EXPECT_EQ(level(16), 1);
  EXPECT_EQ(level(999), axes.axes()[0].places.size() - 1);
}

}  // namespace
}  // namespace cubicbench::search
