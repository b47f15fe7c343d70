#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "datasets/exhaustive/part_scout.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;

TEST(OpenParts, GiveTheBestBoundFirstAndOfEqualsTheNewest) {
  // Bounds 3, 1, 3, 2, made in this order.
  const std::vector<std::pair<Direction, std::vector<std::uint64_t>>> cases{
      {Direction::maximize, {2, 0, 3, 1}}, {Direction::minimize, {1, 3, 2, 0}}};
  for (const auto& [direction, expected] : cases) {
    OpenParts open(direction);
    for (const double bound : {3.0, 1.0, 3.0, 2.0}) {
      open.push({.bound = bound, .made = 0, .place = {}, .configuration = {}});
    }
    std::vector<std::uint64_t> made;
    while (!open.empty()) {
      const std::uint64_t next = open.front().made;
      made.push_back(open.pop().made);
      EXPECT_EQ(made.back(), next);
    }
    EXPECT_EQ(made, expected);
  }
}

TEST(KnownValue, LeavesOutWhatIsStrictlyWorseOrCannotRun) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(KnownValue(Direction::maximize).hopeful(-1e300));
  EXPECT_FALSE(KnownValue(Direction::maximize).hopeful(-infinity));
  EXPECT_FALSE(KnownValue(Direction::minimize).hopeful(infinity));
  KnownValue known(Direction::minimize);
  known.value = 2.0;
  EXPECT_TRUE(known.hopeful(1.0));
  EXPECT_TRUE(known.hopeful(2.0));  // all that equal the best are wanted
  EXPECT_FALSE(known.hopeful(2.5));
}

}  // namespace
}  // namespace cubicbench::datasets
