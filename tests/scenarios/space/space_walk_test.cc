#include "scenarios/space/space_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/listed_space.h"
#include "scenarios/space/search_space.h"
#include "scenarios/space/space_tree.h"

namespace cubicbench::scenarios {
namespace {

ParameterSpec ordinal(const char* name, std::vector<std::int64_t> values,
                      std::vector<ConditionSpec> when = {}) {
  return {.name = name,
          .type = ParameterType::ordinal,
          .values = std::move(values),
          .when = std::move(when)};
}

/// Conditions that depend on each other, and constraints that join parameters far apart.
std::vector<ParameterSpec> parameters() {
  return {ordinal("tensor_parallel", {1, 2, 4, 8}),
          ordinal("pipeline_parallel", {1, 2, 4}),
          ordinal("virtual_stages", {1, 2, 3}, {{"pipeline_parallel", {2, 4}}}),
          ordinal("context_parallel", {1, 2}, {{"virtual_stages", {2}}}),
          ordinal("compile", {0, 1}),
          ordinal("micro_batch", {1, 2, 4, 8})};
}
const std::vector<ConstraintSpec> constraints{
    {"small", "tensor_parallel * pipeline_parallel * micro_batch <= 16"},
    {"odd", "virtual_stages != 3 or micro_batch == 1"},
    {"again", "tensor_parallel * pipeline_parallel * micro_batch <= 32"}};

SearchSpace space() { return SearchSpace::build(parameters(), constraints, {}, {}).space; }

/// A list that follows no rule.
SearchSpace listed() {
  std::vector<Configuration> configurations;
  for (std::int64_t i = 0; i < 60; ++i) {
    if (i * i % 13 < 5 && i % 7 != 3) configurations.push_back({i / 15, i / 3 % 5, i % 3});
  }
  return listed_space({ordinal("tensor_parallel", {1, 2, 4, 8}),
                       ordinal("micro_batch", {1, 2, 3, 4, 5}), ordinal("wrap", {1, 2, 4})},
                      std::move(configurations), {}, {})
      .space;
}

std::vector<SearchSpace> spaces() {
  return {space(), listed(), SearchSpace(), read_scenario("tiny-gpt").space,
          read_scenario("tiny-llama").space};
}

TEST(SpaceWalk, GoesWhereTheNumbersGo) {
  for (const SearchSpace& all : spaces()) {
    Configuration expected(all.size());
    for (const std::uint64_t first : {std::uint64_t{0}, all.count() / 3, all.count() - 1}) {
      SpaceWalk walk(all.diagram(), first);
      for (std::uint64_t number = first; number < all.count(); ++number) {
        all.configuration_at(number, expected);
        ASSERT_EQ(walk.number(), number);
        ASSERT_TRUE(std::ranges::equal(walk.configuration(), expected)) << number;
        ASSERT_EQ(walk.advance(), number + 1 < all.count());
      }
    }
  }
}

void gather(const SpaceTree& tree, SpaceTree::Place place, Configuration& configuration,
            std::set<Configuration>& found) {
  if (place.depth == tree.depth()) {
    found.insert(configuration);
    return;
  }
  std::vector<SpaceTree::Choice> choices;
  tree.choices(place, choices);
  std::uint64_t below = 0;
  for (const SpaceTree::Choice& choice : choices) {
    configuration[tree.parameter(place.depth)] = choice.index;
    below += tree.count(choice.child);
    gather(tree, choice.child, configuration, found);
  }
  EXPECT_EQ(below, tree.count(place));
}

TEST(SpaceTree, HasEveryConfigurationOnceAndDecidesInTheOrderOfTheList) {
  for (const SearchSpace& all : spaces()) {
    const SpaceTree tree(all);
    std::set<Configuration> found;
    Configuration configuration(all.size(), inactive);
    gather(tree, SpaceTree::root(), configuration, found);
    EXPECT_EQ(found.size(), all.count());
    for (const Configuration& one : found) EXPECT_TRUE(all.contains(one));
    for (std::uint32_t depth = 0; depth <= all.size(); ++depth) {
      EXPECT_EQ(tree.decided(depth), depth);
    }
  }
}

TEST(RejectedBy, ChargesTheFirstThatRejects) {
  // Every canonical assignment, one by one.
  const SearchSpace all = space();
  const SearchSpace free = SearchSpace::build(parameters(), {}, {}, {}).space;
  std::vector<std::uint64_t> expected(constraints.size(), 0);
  Configuration configuration(free.size());
  for (std::uint64_t number = 0; number < free.count(); ++number) {
    free.configuration_at(number, configuration);
    const int first = all.first_violated(configuration);
    if (first >= 0) ++expected[static_cast<std::size_t>(first)];
  }
  const auto rejected = rejected_by(all, "a.json");
  ASSERT_EQ(rejected.size(), constraints.size());
  std::uint64_t sum = all.count();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    EXPECT_EQ(rejected[i].first, constraints[i].name);
    EXPECT_EQ(rejected[i].second, expected[i]) << rejected[i].first;
    sum += rejected[i].second;
  }
  EXPECT_EQ(sum, free.count());
  EXPECT_EQ(rejected[2].second, 0U);  // nothing is left for the weaker one
}

TEST(RejectedBy, CountsWhatNobodyCouldWalk) {
  // 1000^5 assignments, of which those with micro_batch = 1 and an even wrap stay.
  std::vector<std::int64_t> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i) + 1;
  const SearchSpace large =
      SearchSpace::build(
          {ordinal("wrap", values), ordinal("micro_batch", values), ordinal("shard_group", values),
           ordinal("virtual_stages", values), ordinal("global_batch", values)},
          {{"one", "micro_batch == 1"}, {"even", "wrap % 2 == 0"}}, {}, {})
          .space;
  const auto rejected = rejected_by(large, "a.json");
  EXPECT_EQ(rejected[0].second, 999'000'000'000'000U);
  EXPECT_EQ(rejected[1].second, 500'000'000'000U);
  EXPECT_TRUE(rejected_by(listed(), "a.json").empty());
}

}  // namespace
}  // namespace cubicbench::scenarios
