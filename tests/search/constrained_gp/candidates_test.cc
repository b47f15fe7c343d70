#include "search/constrained_gp/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "predictor/gaussian_process/gaussian_process.h"
#include "search/constrained_gp/neighbourhood.h"
#include "sim/base/philox.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using predictor::GaussianProcess;
using predictor::ProductKernel;
using scenarios::Configuration;
using scenarios::SearchSpace;

/// Some rows of a space with made-up targets.
GaussianProcess made(const SearchSpace& space, const SpaceAxes& axes, std::uint64_t seed) {
  const std::vector<double> rates(space.size(), 0.5);
  GaussianProcess process(ProductKernel(axes.axes(), rates), 0.01);
  std::vector<double> targets;
  Configuration config(space.size());
  for (std::uint64_t i = 0; i < 20; ++i) {
    space.sample(seed, i, config);
    process.add(axes.levels_of(config));
    targets.push_back(sim::standard_normal({.seed = seed, .entity = i}));
  }
  process.set_targets(targets);
  return process;
}

/// A space with two processes on it.
struct Problem {
  explicit Problem(SearchSpace of) : space(std::move(of)) {}

  SearchSpace space;
  SpaceAxes axes{space};
  GaussianProcess value = made(space, axes, 1);
  GaussianProcess memory = made(space, axes, 2);
  Acquisition acquisition{&value, {&memory}, 0.5};
  Unproposed unproposed{space, 7};
  RandomStream random{7, Stream::decision, 1};
  SecondNeighbours second_neighbours{space, axes};
  CandidateList candidates{space, axes, unproposed, acquisition};

  double worth(const Configuration& config) const {
    return acquisition.worth(acquisition.correlations(axes.levels_of(config)));
  }
  void add_neighbours(std::uint64_t centre, std::size_t pairs) {
    candidates.add_neighbours(at(centre), second_neighbours.some(at(centre), pairs, random));
  }
  Configuration at(std::uint64_t number) const {
    Configuration config(space.size());
    space.configuration_at(number, config);
    return config;
  }
};

TEST(CandidateList, FindsTheOneThatIsWorthMost) {
  for (SearchSpace space : {conditional(), labelled(), listed()}) {
    Problem problem(std::move(space));
    double most = 0.0;
    for (std::uint64_t number = 0; number < problem.space.count(); ++number) {
      problem.candidates.add(number);
      most = std::max(most, problem.worth(problem.at(number)));
    }
    const auto best = problem.candidates.best();
    ASSERT_TRUE(best.has_value());
    EXPECT_EQ(problem.worth(*best), most);
    EXPECT_EQ(problem.candidates.best_worth(), most);
  }
}

TEST(CandidateList, HasNothingTwiceAndNothingThatWasProposed) {
  Problem problem(box());
  const Configuration first = problem.at(3);
  problem.unproposed.take(first);
  problem.candidates.add(3);
  EXPECT_EQ(problem.candidates.size(), 0U);
  EXPECT_FALSE(problem.candidates.best().has_value());
  problem.candidates.add(4);
  problem.candidates.add(4);
  EXPECT_EQ(problem.candidates.size(), 1U);
  EXPECT_EQ(problem.candidates.best(), problem.at(4));
}

TEST(CandidateList, TakesTheNeighboursByOneKnobAndByTwo) {
  // Of 4 x 8 x 2: by one 3 + 7 + 1, by two 3 x 7 + 3 x 1 + 7 x 1.
  Problem singles(box());
  singles.add_neighbours(0, 0);
  EXPECT_EQ(singles.candidates.size(), 11U);
  Problem pairs(box());
  pairs.add_neighbours(0, 1'000);
  EXPECT_EQ(pairs.candidates.size(), 42U);
  Problem some(box());
  some.add_neighbours(0, 10);
  EXPECT_EQ(some.candidates.size(), 21U);
}

TEST(CandidateList, GoesOnFromItsBest) {
  Problem problem(labelled());
  problem.candidates.add(0);
  const double before = (problem.candidates.best(), problem.candidates.best_worth());
  problem.add_neighbours(0, 0);
  const auto best = problem.candidates.best();
  EXPECT_GE(problem.candidates.best_worth(), before);
  EXPECT_NEAR(problem.worth(*best), problem.candidates.best_worth(), 1e-12);
}

}  // namespace
}  // namespace cubicbench::search
