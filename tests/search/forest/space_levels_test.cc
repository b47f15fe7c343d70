#include "search/forest/space_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using testing::ElementsAre;

TEST(SpaceLevels, HaveALevelForWhatIsNotActive) {
  const scenarios::SearchSpace space = conditional();
  const SpaceLevels levels(space);
  // virtual_stages and context_parallel may be inactive; no other can.
  ASSERT_EQ(levels.columns().size(), 5U);
  EXPECT_EQ(levels.columns()[0].levels, 4U);
  EXPECT_EQ(levels.columns()[2].levels, 4U);
  EXPECT_EQ(levels.columns()[3].levels, 3U);
  EXPECT_THAT(levels.levels_of(scenarios::Configuration{3, 0, -1, -1, 0}),
              ElementsAre(3, 0, 0, 0, 0));
  EXPECT_THAT(levels.levels_of(scenarios::Configuration{0, 1, 1, 0, 2}),
              ElementsAre(0, 1, 2, 1, 2));
}

TEST(SpaceLevels, KnowLabelsFromNumbers) {
  const SpaceLevels levels(labelled());
  EXPECT_FALSE(levels.columns()[0].labels);
  EXPECT_TRUE(levels.columns()[1].labels);
}

TEST(SpaceLevels, ShareALevelAmongNeighboursOfManyValues) {
  const scenarios::SearchSpace space = built({ordinal("micro_batch", run_of(200))});
  const SpaceLevels levels(space);
  // Four values to a level: 50 levels.
  EXPECT_EQ(levels.columns()[0].levels, 50U);
  EXPECT_THAT(levels.levels_of(scenarios::Configuration{7}), ElementsAre(1));
  EXPECT_THAT(levels.levels_of(scenarios::Configuration{199}), ElementsAre(49));
}

}  // namespace
}  // namespace cubicbench::search
