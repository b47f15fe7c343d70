#include "search/cma_es/even_levels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace cubicbench::search {
namespace {

TEST(EvenLevels, TheNearestOfFiveAndOfTwo) {
  // 0, 0.25, 0.5, 0.75, 1.
  const std::vector<std::pair<double, std::int64_t>> of_five{
      {-3.0, 0}, {0.12, 0}, {0.13, 1}, {0.37, 1}, {0.38, 2}, {0.8, 3}, {0.88, 4}, {7.0, 4}};
  for (const auto& [place, level] : of_five) EXPECT_EQ(nearest_level(place, 5), level) << place;
  EXPECT_EQ(nearest_level(0.49, 2), 0);
  EXPECT_EQ(nearest_level(0.51, 2), 1);
}

TEST(EvenLevels, BoundariesAreHalfWay) {
  EXPECT_DOUBLE_EQ(boundary_below(1, 2), 0.5);
  EXPECT_DOUBLE_EQ(boundary_below(1, 5), 0.125);
  EXPECT_DOUBLE_EQ(boundary_below(4, 5), 0.875);
}

}  // namespace
}  // namespace cubicbench::search
