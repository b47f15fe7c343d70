#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "search/searchers/crossover.h"
#include "search/searchers/registry.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::inactive;
using scenarios::SearchSpace;

TEST(Crossed, HasEachValueFromEitherParentAsOften) {
  const SearchSpace space = box();
  std::map<Configuration, int> times;
  for (std::uint64_t i = 0; i < 8'000; ++i) {
    RandomStream random(1, Stream::decision, i);
    ++times[crossed(space, {0, 3, 0}, {2, 5, 1}, random).value()];
  }
  EXPECT_EQ(times.size(), 8U);
  for (const auto& [child, observed] : times) {
    EXPECT_NEAR(observed, 1'000, 160) << testing::PrintToString(child);
    EXPECT_TRUE(child[0] == 0 || child[0] == 2);
    EXPECT_TRUE(child[1] == 3 || child[1] == 5);
  }
}

TEST(Crossed, TakesTheOtherParentsValueWhereOneHasNone) {
  // Virtual stages need pipelines, a context two of them; micro-batch 1 keeps constraints away.
  const SearchSpace space = conditional();
  const Configuration flat{0, 0, inactive, inactive, 0};
  const Configuration piped{0, 1, 1, 1, 0};
  std::set<Configuration> children;
  for (std::uint64_t i = 0; i < 200; ++i) {
    RandomStream random(1, Stream::decision, i);
    children.insert(crossed(space, flat, piped, random).value());
  }
  EXPECT_EQ(children, (std::set<Configuration>{flat, piped}));
}

TEST(Crossed, IsNothingWhereAConstraintRejectsTheChild) {
  // Equal degrees: a child is allowed only if all three are of one parent, a quarter of all.
  const SearchSpace space = diagonal();
  int children = 0;
  for (std::uint64_t i = 0; i < 4'000; ++i) {
    RandomStream random(1, Stream::decision, i);
    const auto child = crossed(space, {2, 2, 2}, {5, 5, 5}, random);
    if (!child) continue;
    ++children;
    EXPECT_TRUE(*child == (Configuration{2, 2, 2}) || *child == (Configuration{5, 5, 5}));
  }
  EXPECT_NEAR(children, 1'000, 140);
}

double sum_of(const Configuration& config) {
  double sum = 0.0;
  for (const std::int64_t value : config) sum += static_cast<double>(value);
  return sum;
}

struct Launched {
  Configuration config;
  std::int64_t generation = 0;
};

std::vector<Launched> launched(const std::string& text, std::int64_t trials, std::uint64_t seed) {
  const SearchSpace space = wide_box();
  const auto searcher = make(text, space, seed);
  std::vector<Launched> all;
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    const auto proposal = searcher->ask();
    all.push_back({.config = proposal->config, .generation = proposal->round});
    ToldTrial outcome = told(trial, proposal->config);
    outcome.score = sum_of(proposal->config);
    searcher->tell(outcome);
  }
  return all;
}

TEST(Genetic, WithoutMutationsHasTheParentsValuesAlone) {
  // One mutation in a million children: every value of a child is one of an earlier generation,
  // until all are alike.
  const auto all = launched("genetic:population=10:mutation=1000000", 30, 4);
  for (const Launched& child : all) {
    if (child.generation == 0) continue;
    for (std::size_t i = 0; i < child.config.size(); ++i) {
      EXPECT_TRUE(std::ranges::any_of(all, [&](const Launched& parent) {
        return parent.generation < child.generation && parent.config[i] == child.config[i];
      }));
    }
  }
}

TEST(Genetic, MakesGenerations) {
  const auto all = launched("genetic:population=10", 45, 4);
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_GE(all[i].generation, all[i - 1].generation);
  }
  // Of ten each, or fewer launches where members were known.
  EXPECT_EQ(all[9].generation, 0);
  EXPECT_EQ(all[10].generation, 1);
  EXPECT_GE(all[44].generation, 4);
}

TEST(Genetic, GetsBetterFromGenerationToGeneration) {
  double first = 0.0;
  double last = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto all = launched("genetic", 150, seed);
    for (std::size_t i = 0; i < 20; ++i) {
      first += sum_of(all[i].config) / 200.0;
      last += sum_of(all[all.size() - 1 - i].config) / 200.0;
    }
  }
  EXPECT_NEAR(first, 28.0, 2.0);
  EXPECT_GT(last, first + 10.0);
}

}  // namespace
}  // namespace cubicbench::search
