#include <gtest/gtest.h>

#include <vector>

#include "search/finished/random_curve.h"

namespace cubicbench::search {
namespace {

TEST(LaunchedRandom, PutsANumberForWhatFails) {
  datasets::Enumeration space;
  space.random_search.studies = 100;
  space.random_search.from_nothing = {{.failing = 1.0, .mean = {}, .error = 0.0},
                                      {.failing = 0.25,
                                       .mean = 8.0,
                                       .error = 0.5,
                                       .half = {.worse = 6.0, .better = 9.0},
                                       .nine_tenths = {.worse = {}, .better = 10.0}}};
  const auto more = launched_random(space, 2, false, 0.0);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->mean, (std::vector<double>{0.0, 6.0}));
  EXPECT_EQ(more->error, (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(more->p05, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(more->p25, (std::vector<double>{0.0, 6.0}));
  EXPECT_EQ(more->p95, (std::vector<double>{0.0, 10.0}));
  // Where less is better what fails counts as the worst of the space.
  EXPECT_EQ(launched_random(space, 2, false, 20.0)->mean, (std::vector<double>{20.0, 11.0}));
  EXPECT_FALSE(launched_random(space, 3, false, 0.0));
  EXPECT_FALSE(launched_random(space, 1, true, 0.0));
}

}  // namespace
}  // namespace cubicbench::search
