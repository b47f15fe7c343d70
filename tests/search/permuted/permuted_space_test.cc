#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/catalog.h"
#include "search/permuted/permuted_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Parameter;
using scenarios::ParameterType;
using scenarios::SearchSpace;

scenarios::ParameterSpec typed(const char* name, ParameterType type,
                               std::vector<std::int64_t> values,
                               std::vector<scenarios::ConditionSpec> when = {}) {
  return {.name = name, .type = type, .values = std::move(values), .when = std::move(when)};
}

/// Every type of parameter, a condition that names a category and a constraint that reads one.
SearchSpace mixed() {
  return built(
      {typed("tensor_parallel", ParameterType::ordinal, {1, 2, 4, 8}),
       typed("schedule", ParameterType::categorical, {0, 1, 2, 3}),
       typed("virtual_stages", ParameterType::integer, {2, 3, 4}, {{"schedule", {2}}}),
       typed("async_tensor_parallel", ParameterType::boolean, {0, 1}),
       typed("recompute", ParameterType::categorical, {0, 1, 2}, {{"virtual_stages", {2, 4}}})},
      {{"few", "tensor_parallel * schedule <= 8"}});
}

/// Names and values of a configuration, in the order of the settings' names.
std::map<std::string_view, std::int64_t> meaning(const SearchSpace& space,
                                                 const Configuration& configuration) {
  std::map<std::string_view, std::int64_t> values;
  for (const scenarios::Assignment& given : space.to_assignment(configuration)) {
    values[given.setting->name] = given.value;
  }
  return values;
}

/// Both ways, what a configuration says stays.
void expect_same_configurations(const SearchSpace& space, const PermutedSpace& permuted,
                                std::uint64_t draws) {
  ASSERT_EQ(permuted.space().count(), space.count());
  const std::uint64_t step = std::max<std::uint64_t>(space.count() / draws, 1);
  std::set<Configuration> images;
  std::uint64_t taken = 0;
  for (std::uint64_t number = 0; taken < draws && number < space.count(); number += step, ++taken) {
    Configuration configuration(space.size());
    permuted.space().configuration_at(number, configuration);
    const Configuration original = permuted.original(configuration);
    ASSERT_TRUE(space.contains(original)) << number;
    EXPECT_EQ(meaning(space, original), meaning(permuted.space(), configuration));
    EXPECT_EQ(permuted.permuted(original), configuration);
    images.insert(original);
  }
  EXPECT_EQ(images.size(), taken);
}

TEST(PermutedSpace, HasTheSameConfigurations) {
  struct Case {
    const char* name;
    SearchSpace space;
  };
  for (const Case& c :
       {Case{"box", box()}, Case{"conditional", conditional()}, Case{"diagonal", diagonal()},
        Case{"listed", listed()}, Case{"single", single()}, Case{"mixed", mixed()},
        Case{"no parameter", SearchSpace()}}) {
    for (std::uint64_t key = 0; key < 30; ++key) {
      SCOPED_TRACE(std::string(c.name) + ", key " + std::to_string(key));
      const PermutedSpace permuted(c.space, key);
      expect_same_configurations(c.space, permuted, 10'000);
    }
  }
}

TEST(PermutedSpace, RefusesWhatTheSpaceRefuses) {
  const SearchSpace space = listed();
  const PermutedSpace permuted(space, 5);
  Configuration configuration(3);
  std::uint64_t inside = 0;
  for (std::int64_t i = 0; i < 60; ++i) {
    configuration = {i / 15, i / 3 % 5, i % 3};
    EXPECT_EQ(permuted.space().contains(permuted.permuted(configuration)),
              space.contains(configuration));
    if (space.contains(configuration)) ++inside;
  }
  EXPECT_EQ(inside, space.count());
  // What no parameter has stays what it is, and so outside.
  EXPECT_THAT(permuted.original({9, -1, 7}), testing::UnorderedElementsAre(9, -1, 7));
}

TEST(PermutedSpace, KeepsOrdinalsIntegersAndTheirConditions) {
  const SearchSpace space = mixed();
  for (std::uint64_t key = 0; key < 50; ++key) {
    SCOPED_TRACE(key);
    const PermutedSpace permuted(space, key);
    const std::vector<Parameter>& parameters = permuted.space().parameters();
    ASSERT_EQ(parameters.size(), space.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& seen = parameters[i];
      const int number = space.find(seen.setting->name);
      ASSERT_GE(number, 0);
      const Parameter& original = space.parameters()[static_cast<std::size_t>(number)];
      EXPECT_EQ(seen.type, original.type);
      EXPECT_THAT(seen.values, testing::UnorderedElementsAreArray(original.values));
      if (seen.type == ParameterType::ordinal || seen.type == ParameterType::integer) {
        EXPECT_EQ(seen.values, original.values);
      }
      ASSERT_EQ(seen.when.size(), original.when.size());
      for (std::size_t w = 0; w < seen.when.size(); ++w) {
        EXPECT_LT(seen.when[w].parameter, static_cast<int>(i));  // which it depends on
        EXPECT_EQ(seen.when[w].values, original.when[w].values);
      }
    }
  }
}

TEST(PermutedSpace, DrawsEveryOrderOfLabelsEquallyOften) {
  // Of 24 orders of four labels, 4,800 keys: chi-square with 23 degrees of freedom, 99.99 %.
  const SearchSpace space = mixed();
  std::map<std::vector<std::int64_t>, int> labels;
  std::map<std::vector<std::int64_t>, int> flags;
  std::map<std::string, int> first;
  constexpr int keys = 4'800;
  for (std::uint64_t key = 0; key < keys; ++key) {
    const PermutedSpace permuted(space, permutation_key("test", key));
    const SearchSpace& seen = permuted.space();
    ++labels[seen.parameters()[static_cast<std::size_t>(seen.find("schedule"))].values];
    ++flags[seen.parameters()[static_cast<std::size_t>(seen.find("async_tensor_parallel"))].values];
    ++first[std::string(seen.parameters().front().setting->name)];
  }
  ASSERT_EQ(labels.size(), 24U);
  double chi_square = 0.0;
  for (const auto& [order, times] : labels) {
    chi_square += (times - keys / 24.0) * (times - keys / 24.0) / (keys / 24.0);
  }
  EXPECT_LT(chi_square, 56.0);
  ASSERT_EQ(flags.size(), 2U);
  EXPECT_NEAR(flags.begin()->second, keys / 2, 140);  // four standard deviations of 35
  // One of the three that depend on nothing comes first, each as often.
  ASSERT_EQ(first.size(), 3U);
  for (const auto& [name, times] : first) EXPECT_NEAR(times, keys / 3, 131) << name;  // of 33
}

TEST(PermutedSpace, IsKeyedByScenarioAndSeed) {
  // sha256("cubicbench permutation\nscenario a\nseed 7\n"), first 16 digits.
  EXPECT_EQ(permutation_key("a", 7), 0xe277ec0ff4e6637aULL);
  EXPECT_NE(permutation_key("a", 7), permutation_key("a", 8));
  EXPECT_NE(permutation_key("a", 7), permutation_key("b", 7));
}

TEST(PermutedSpace, CanBeMadeOfEveryScenario) {
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::scenario)) {
    const scenarios::Scenario scenario = datasets::read_scenario(entry.name);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(entry.name + ", seed " + std::to_string(seed));
      const PermutedSpace permuted(scenario.space, permutation_key(scenario.sha256, seed));
      expect_same_configurations(scenario.space, permuted, 200);
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
