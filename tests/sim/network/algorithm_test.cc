#include "sim/network/algorithm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

std::set<Algorithm> those_that_libraries_choose() {
  std::set<Algorithm> chosen;
  for (std::size_t op = 0; op < collective_count; ++op) {
    for (const bool is_spread : {false, true}) {
      const auto some = chosen_algorithms(static_cast<Collective>(op), is_spread);
      chosen.insert(some.begin(), some.end());
    }
  }
  return chosen;
}

TEST(CollectiveAlgorithm, SaysWhatItSendsAndWhatItCosts) {
  const std::set<Algorithm> chosen = those_that_libraries_choose();
  for (std::size_t i = 0; i < algorithm_count; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    const CollectiveAlgorithm& parts = parts_of(algorithm);
    EXPECT_NE(parts.is_way, nullptr) << i;
    EXPECT_NE(parts.moved, nullptr) << i;
    EXPECT_NE(parts.flows, nullptr) << i;
    EXPECT_EQ(parts.offer != nullptr, chosen.contains(algorithm)) << i;
    EXPECT_TRUE(parts.offer != nullptr || parts.path != nullptr) << i;
  }
}

TEST(CollectiveAlgorithm, OfEachIsOfAFileOfItsOwn) {
  const std::set<const CollectiveAlgorithm*> all(algorithms::all.begin(), algorithms::all.end());
  EXPECT_EQ(all.size(), algorithm_count);
  EXPECT_EQ(&parts_of(Algorithm::ring), &algorithms::ring);
  EXPECT_EQ(&parts_of(Algorithm::in_network), &algorithms::in_network);
  EXPECT_EQ(&parts_of(Algorithm::direct), &algorithms::direct);
}

// Groups and operations for which a library has nothing to choose from would cost nothing.
TEST(CollectiveAlgorithm, OfThoseThatLibrariesChooseOneRunsEveryOperationOnEveryGroup) {
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto op = static_cast<Collective>(i);
    for (const Group& group : {Group{2, 2}, Group{8, 8}, Group{3, 1}, Group{12, 8}}) {
      const auto chosen = chosen_algorithms(op, nodes_of(group) > 1);
      EXPECT_TRUE(
          std::any_of(chosen.begin(), chosen.end(),
                      [&](Algorithm algorithm) { return parts_of(algorithm).is_way(op, group); }))
          << i << ", " << group.ranks;
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
