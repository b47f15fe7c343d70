// Against the sorted list itself.
#include "scenarios/space/listed_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/philox.h"
#include "tests/counting_new.h"

namespace cubicbench::scenarios {
namespace {

ParameterSpec ordinal(const char* name, std::vector<std::int64_t> values) {
  return {.name = name, .type = ParameterType::ordinal, .values = std::move(values), .when = {}};
}

const std::vector<ParameterSpec>& parameters() {
  static const std::vector<ParameterSpec> specs{
      ordinal("tensor_parallel", {1, 2, 4, 8}), ordinal("pipeline_parallel", {1, 2, 4}),
      ordinal("micro_batch", {1, 2, 3, 4, 8}), ordinal("sharding", {0, 1})};
  return specs;
}

/// Every tuple of indices in range.
std::vector<Configuration> all_tuples() {
  std::vector<Configuration> tuples;
  for (std::int64_t i = 0; i < 4 * 3 * 5 * 2; ++i) {
    tuples.push_back({i / 30, i / 10 % 3, i / 2 % 5, i % 2});
  }
  return tuples;
}

/// `size` tuples in a random order, some of them twice.
std::vector<Configuration> random_list(std::uint64_t seed, std::uint64_t size) {
  const std::vector<Configuration> tuples = all_tuples();
  std::vector<Configuration> list;
  for (std::uint64_t i = 0; i < size; ++i) {
    list.push_back(tuples[sim::uniform_below({.seed = seed, .entity = i}, tuples.size())]);
  }
  return list;
}

SearchSpace space_of(std::vector<Configuration> list, const SpaceFacts& facts = {}) {
  BuiltSpace built = listed_space(parameters(), std::move(list), {}, facts);
  EXPECT_TRUE(built.problems.empty());
  return std::move(built.space);
}

TEST(ListedSpace, HoldsExactlyTheList) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Configuration> list = random_list(seed, 1 + seed);
    const std::set<Configuration> expected(list.begin(), list.end());
    const SearchSpace space = space_of(list);
    ASSERT_EQ(space.count(), expected.size());
    for (const Configuration& tuple : all_tuples()) {
      const bool listed = expected.contains(tuple);
      ASSERT_EQ(space.contains(tuple), listed);
      ASSERT_EQ(space.satisfies(tuple), listed);
      ASSERT_EQ(space.first_violated(tuple), listed ? -1 : 0);
    }
    std::uint64_t number = 0;
    Configuration configuration(space.size());
    for (const Configuration& tuple : expected) {  // in order
      space.configuration_at(number, configuration);
      EXPECT_EQ(configuration, tuple);
      EXPECT_EQ(space.number_of(tuple), number);
      ++number;
    }
  }
}

TEST(ListedSpace, RefusesWhatIsNoConfiguration) {
  const SearchSpace space = space_of(all_tuples());
  EXPECT_EQ(space.count(), 120U);
  for (const Configuration& tuple :
       {Configuration{0, 0, 0}, Configuration{0, 0, 0, 0, 0}, Configuration{4, 0, 0, 0},
        Configuration{0, 0, 0, 2}, Configuration{0, inactive, 0, 0}, Configuration{0, -2, 0, 0}}) {
    EXPECT_FALSE(space.contains(tuple));
  }
}

TEST(ListedSpace, EmptyAndWithoutParameters) {
  EXPECT_EQ(space_of({}).count(), 0U);
  EXPECT_FALSE(space_of({}).contains(std::vector<std::int64_t>{0, 0, 0, 0}));
  EXPECT_EQ(listed_space({}, {{}}, {}, {}).space.count(), 1U);
  EXPECT_TRUE(listed_space({}, {{}}, {}, {}).space.contains({}));
  EXPECT_EQ(listed_space({}, {}, {}, {}).space.count(), 0U);
  EXPECT_FALSE(listed_space({}, {}, {}, {}).space.contains({}));
}

TEST(ListedSpace, MapsTheUnitCubeInProportionToCounts) {
  // Of four configurations tensor_parallel 1 has three, so it owns [0, 3/4) of its coordinate;
  // there, pipeline_parallel 1 has one of three and 4 has two.
  const SearchSpace space = space_of({{0, 0, 1, 0}, {0, 2, 0, 0}, {0, 2, 0, 1}, {3, 1, 4, 1}});
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  constexpr std::uint64_t last = ~std::uint64_t{0};
  struct Case {
    std::vector<std::uint64_t> coordinates;
    Configuration expected;
  };
  for (const Case& c :
       {Case{{0, 0, 0, 0}, {0, 0, 1, 0}},
        Case{{half + half / 2 - 1, last / 3, last, last}, {0, 0, 1, 0}},
        Case{{0, last / 3 + 1, 0, half - 1}, {0, 2, 0, 0}},
        Case{{0, last, last, half}, {0, 2, 0, 1}}, Case{{half + half / 2, 0, 0, 0}, {3, 1, 4, 1}},
        Case{{last, last, last, last}, {3, 1, 4, 1}}}) {
    Configuration configuration(space.size());
    space.configuration_along(c.coordinates, configuration);
    EXPECT_EQ(configuration, c.expected);
  }
}

TEST(ListedSpace, DrawsEveryConfigurationEquallyOften) {
  const SearchSpace space = space_of(random_list(3, 60));
  const auto count = static_cast<double>(space.count());
  constexpr int draws = 100'000;
  std::vector<int> times(space.count());
  Configuration configuration(space.size());
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    space.sample(5, draw, configuration);
    ++times[space.number_of(configuration)];
  }
  for (const int observed : times) {
    // Five standard deviations of a count that is nearly Poisson.
    EXPECT_NEAR(observed, draws / count, 5.0 * std::sqrt(draws / count));
  }
}

TEST(ListedSpace, SaysWhatIsNotInTheList) {
  const SearchSpace space = space_of({{0, 0, 0, 0}, {3, 1, 4, 1}}, {.gpus = 16});
  const auto value = [](const char* name, std::int64_t code) {
    return Assignment{.setting = find_setting(name), .value = code};
  };
  EXPECT_TRUE(space
                  .from_assignment(std::vector<Assignment>{
                      value("tensor_parallel", 8), value("pipeline_parallel", 2),
                      value("micro_batch", 8), value("sharding", 1)})
                  .in_space());
  EXPECT_EQ(space
                .from_assignment(std::vector<Assignment>{
                    value("tensor_parallel", 8), value("pipeline_parallel", 2),
                    value("micro_batch", 8), value("sharding", 0)})
                .problems,
            (std::vector<SpaceProblem>{
                {"", "expected one of the 2 configurations that are listed, got another"}}));
}

TEST(ListedSpace, NamesWhatCannotBeBuilt) {
  const BuiltSpace unknown = listed_space({ordinal("dp", {1})}, {{0}}, {}, {});
  ASSERT_EQ(unknown.problems.size(), 1U);
  EXPECT_EQ(unknown.problems.front().pointer, "/parameters/0/name");
  // A node each from one value to another that is far away: no two can be completed in the same
  // way.
  std::vector<Configuration> diagonal;
  for (std::int64_t i = 0; i < 3000; ++i) {
    diagonal.push_back({i, i});
    diagonal.push_back({i, (i + 1700) % 3000});
    if (i > 0) diagonal.push_back({i, 0});
  }
  const BuiltSpace large = listed_space({ordinal("wrap", stepped_values(1, 3000, 1)),
                                         ordinal("micro_batch", stepped_values(1, 3000, 1))},
                                        diagonal, {}, {});
  EXPECT_EQ(large.problems,
            (std::vector<SpaceProblem>{{"", "expected fewer configurations, or fewer values"}}));
}

TEST(ListedSpace, AsksWithoutAllocating) {
  const SearchSpace space = space_of(random_list(1, 50));
  Configuration configuration(space.size());
  const long before = allocation_count();
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    space.sample(1, draw, configuration);
    ASSERT_TRUE(space.contains(configuration));
  }
  EXPECT_EQ(allocation_count(), before);
}

/// Of two values of the first parameter only one activates the second, and the third depends on
/// that: (0, -, -, x) and (1, y, - or z, x).
std::vector<ParameterSpec> conditional_parameters() {
  std::vector<ParameterSpec> specs{
      ordinal("pipeline_parallel", {1, 2}), ordinal("virtual_stages", {1, 2}),
      ordinal("context_parallel", {1, 2, 4}), ordinal("micro_batch", {1, 2})};
  specs[1].when = {{"pipeline_parallel", {2}}};
  specs[2].when = {{"virtual_stages", {2}}};
  return specs;
}

TEST(ListedSpace, KeepsConditions) {
  const BuiltSpace all = SearchSpace::build(conditional_parameters(), {}, {}, {});
  ASSERT_TRUE(all.problems.empty());
  ASSERT_EQ(all.space.count(), 2U + 2U + 3U * 2U);
  EXPECT_FALSE(is_listed(all.space));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::set<Configuration> expected;
    for (std::uint64_t i = 0; i < 1 + seed % 9; ++i) {
      Configuration configuration(4);
      all.space.sample(seed, i, configuration);
      expected.insert(configuration);
    }
    BuiltSpace built =
        listed_space(conditional_parameters(), {expected.begin(), expected.end()}, {}, {});
    ASSERT_TRUE(built.problems.empty());
    const SearchSpace& space = built.space;
    ASSERT_EQ(space.count(), expected.size());
    EXPECT_EQ(is_listed(space), expected.size() < all.space.count());
    std::set<Configuration> found;
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      Configuration configuration(4);
      space.configuration_at(number, configuration);
      EXPECT_EQ(space.number_of(configuration), number);
      found.insert(configuration);
    }
    EXPECT_EQ(found, expected);
    for (std::uint64_t number = 0; number < all.space.count(); ++number) {
      Configuration configuration(4);
      all.space.configuration_at(number, configuration);
      EXPECT_EQ(space.contains(configuration), expected.contains(configuration));
    }
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
