#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "search/searchers/registry.h"
#include "search/searchers/unit_cube.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::inactive;
using scenarios::SearchSpace;

TEST(UnitCube, IsCutIntoEqualPartsPerValue) {
  const SearchSpace space = box();  // 4 x 8 x 2 values
  EXPECT_EQ(configuration_at(space, std::vector<double>{0.0, 0.0, 0.0}), (Configuration{0, 0, 0}));
  EXPECT_EQ(configuration_at(space, std::vector<double>{0.25, 0.374, 0.49}),
            (Configuration{1, 2, 0}));
  EXPECT_EQ(configuration_at(space, std::vector<double>{0.999, 0.875, 0.5}),
            (Configuration{3, 7, 1}));
}

TEST(UnitCube, PointsOfAConfigurationLeadBack) {
  for (const SearchSpace& space : {box(), conditional(), labelled(), diagonal()}) {
    Configuration config(space.size());
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      space.configuration_at(number, config);
      RandomStream random(1, Stream::outcome, number);
      const std::vector<double> point = point_of(space, config, random);
      for (const double each : point) ASSERT_TRUE(each >= 0.0 && each < 1.0);
      ASSERT_EQ(configuration_at(space, point), config);
    }
  }
}

TEST(UnitCube, MarksInactiveParameters) {
  const SearchSpace space = conditional();
  EXPECT_EQ(configuration_at(space, std::vector<double>{0.9, 0.1, 0.9, 0.9, 0.1}),
            (Configuration{3, 0, inactive, inactive, 0}));
}

double sum_of(const Configuration& config) {
  double sum = 0.0;
  for (const std::int64_t value : config) sum += static_cast<double>(value);
  return sum;
}

ToldTrial summed(std::int64_t trial, const Configuration& config) {
  ToldTrial outcome = told(trial, config);
  outcome.score = sum_of(config);
  return outcome;
}

std::size_t distance(const Configuration& a, const Configuration& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1U : 0U;
  return different;
}

TEST(DifferentialEvolution, WithoutCrossoverChangesOneCoordinateOfItsTarget) {
  const SearchSpace space = wide_box();
  const auto searcher = make("differential-evolution:population=5:crossover=0", space, 3);
  const auto proposed = drive(*searcher, 60, summed);
  for (std::size_t i = 5; i < proposed.size(); ++i) {
    // The target was launched before.
    const bool from_one = std::any_of(
        proposed.begin(), proposed.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const Configuration& earlier) { return distance(earlier, proposed[i]) == 1; });
    EXPECT_TRUE(from_one) << i;
  }
}

TEST(DifferentialEvolution, OnlyThoseAsGoodTakeATargetsPlace) {
  // Without crossover a trial differs from its target in one coordinate. As long as every trial is
  // worse, targets are the first four; one that is as good becomes a target.
  const SearchSpace space = wide_box();
  for (const bool as_good : {false, true}) {
    const auto searcher = make("differential-evolution:population=4:crossover=0", space, 3);
    std::vector<Configuration> first;
    int far = 0;
    for (std::int64_t trial = 0; trial < 40; ++trial) {
      const Configuration config = searcher->ask()->config;
      if (trial < 4) first.push_back(config);
      far += std::ranges::none_of(
          first, [&](const Configuration& one) { return distance(one, config) <= 1; });
      ToldTrial outcome = told(trial, config);
      outcome.score = trial < 4 ? static_cast<double>(trial + 1) : as_good ? 4.0 : 0.0;
      searcher->tell(outcome);
    }
    EXPECT_EQ(far > 0, as_good);
  }
}

TEST(DifferentialEvolution, ClimbsASlope) {
  const SearchSpace space = wide_box();
  double late = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto proposed = drive(*make("differential-evolution", space, seed), 200, summed);
    for (std::size_t i = 180; i < 200; ++i) late += sum_of(proposed[i]) / 200.0;
  }
  EXPECT_GT(late, 28.0 + 8.0);  // a random one has 28
}

}  // namespace
}  // namespace cubicbench::search
