#include "search/learnt/improvement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/constrained_gp/acquisition.h"

namespace cubicbench::search {
namespace {

TEST(LogExpectedImprovement, IsTheLogarithmOfTheImprovement) {
  for (const double mean : {-5.0, -2.0, -1.01, -0.99, 0.0, 1.0, 30.0}) {
    for (const double deviation : {0.5, 1.0, 2.0}) {
      const predictor::Normal f{.mean = mean, .deviation = deviation};
      EXPECT_NEAR(log_expected_improvement(f, 0.3), std::log(expected_improvement(f, 0.3)), 1e-9)
          << mean << " " << deviation;
    }
  }
}

TEST(LogExpectedImprovement, GoesOnWhereTheImprovementIsNoNumber) {
  // log phi(100) - 2 log 100, and 3 / 100^2 less.
  const predictor::Normal f{.mean = -100.0, .deviation = 1.0};
  const double expected =
      -5000.0 - 0.5 * std::log(2.0 * std::acos(-1.0)) - 2.0 * std::log(100.0) + std::log1p(-3e-4);
  EXPECT_NEAR(log_expected_improvement(f, 0.0), expected, 1e-6);
  // Without a step where the series takes over.
  const auto at = [](double z) {
    return log_expected_improvement({.mean = z, .deviation = 1.0}, 0.0);
  };
  EXPECT_NEAR(at(-20.0 - 1e-9), at(-20.0 + 1e-9), 1e-6);
}

}  // namespace
}  // namespace cubicbench::search
