#include "search/constrained_gp/neighbourhood.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// Values that differ, where both are active.
std::size_t changed_knobs(const Configuration& a, const Configuration& b) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    changed += a[i] != b[i] && a[i] != scenarios::inactive && b[i] != scenarios::inactive;
  }
  return changed;
}

TEST(Neighbours, HaveTheirLevelsAndDifferInOneKnob) {
  for (const SearchSpace& space : {box(), conditional(), labelled()}) {
    const SpaceAxes axes(space);
    Configuration centre(space.size());
    Configuration config(space.size());
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      space.configuration_at(number, centre);
      const LevelRows found = neighbours(space, axes, centre);
      for (std::size_t i = 0; i < found.size(); ++i) {
        space.configuration_at(found.number(i), config);
        EXPECT_EQ(changed_knobs(centre, config), 1U);
        EXPECT_TRUE(std::ranges::equal(found.levels(i), axes.levels_of(config)));
      }
    }
  }
}

TEST(SecondNeighbours, AreAllOrAUniformChoice) {
  const SearchSpace space = box();
  const SpaceAxes axes(space);
  SecondNeighbours second(space, axes);
  RandomStream random(3, Stream::decision, 1);
  Configuration centre(space.size());
  Configuration config(space.size());
  for (const std::uint64_t number : {0U, 5U, 5U, 63U}) {
    space.configuration_at(number, centre);
    EXPECT_EQ(second.some(centre, 0, random).size(), 0U);
    EXPECT_EQ(second.some(centre, 1'000, random).size(), 31U);  // 3 x 7 + 3 x 1 + 7 x 1
    const LevelRows some = second.some(centre, 9, random);
    std::set<std::uint64_t> numbers;
    for (std::size_t i = 0; i < some.size(); ++i) {
      space.configuration_at(some.number(i), config);
      EXPECT_EQ(changed_knobs(centre, config), 2U);
      numbers.insert(some.number(i));
    }
    EXPECT_EQ(numbers.size(), 9U);
  }
}

}  // namespace
}  // namespace cubicbench::search
