#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/landscape/hill_climb.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using Numbers = std::vector<std::uint64_t>;

TEST(Neighbours, OfABoxAreCountedByHand) {
  // 4 x 8 x 2 values: 3 + 7 + 1 others; in two parameters 3 x 7 + 3 x 1 + 7 x 1 more.
  const scenarios::SearchSpace space = search::box();
  for (const std::uint64_t number : {0U, 17U, 63U}) {
    EXPECT_EQ(neighbours(space, number, 1).size(), 11U);
    EXPECT_EQ(neighbours(space, number, 2).size(), 11U + 31U);
  }
}

TEST(Neighbours, WithoutConditionsThoseThatDifferInOneOrTwoValues) {
  for (const scenarios::SearchSpace& space : {search::box(), search::diagonal()}) {
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      Configuration here(space.size());
      Configuration there(space.size());
      space.configuration_at(number, here);
      Numbers one;
      Numbers two;
      for (std::uint64_t other = 0; other < space.count(); ++other) {
        space.configuration_at(other, there);
        int differ = 0;
        for (std::size_t i = 0; i < space.size(); ++i) differ += here[i] != there[i] ? 1 : 0;
        if (differ == 1) one.push_back(other);
        if (differ == 1 || differ == 2) two.push_back(other);
      }
      ASSERT_EQ(neighbours(space, number, 1), one);
      ASSERT_EQ(neighbours(space, number, 2), two);
    }
  }
}

TEST(Neighbours, OfAConditionalSpaceAreConfigurations) {
  const scenarios::SearchSpace space = search::conditional();
  // tensor, pipeline, virtual stages, context, micro-batch: pipeline 1 has neither of the middle.
  const std::uint64_t number =
      space.number_of(Configuration{0, 0, scenarios::inactive, scenarios::inactive, 0});
  // three other tensors, two pipelines with one virtual stage, three micro-batches
  EXPECT_EQ(neighbours(space, number, 1).size(), 3U + 2U + 3U);
  const Numbers two = neighbours(space, number, 2);
  EXPECT_TRUE(std::ranges::binary_search(
      two, space.number_of(Configuration{0, 1, 2, scenarios::inactive, 0})));
  EXPECT_TRUE(std::ranges::is_sorted(two));
}

TEST(Neighbours, OfASingleConfigurationAreNone) {
  EXPECT_TRUE(neighbours(search::single(), 0, 2).empty());
}

}  // namespace
}  // namespace cubicbench::datasets
