#include "predictor/calibration/robust_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cubicbench::predictor {
namespace {

/// Rows y = a x + b at whole x, with what each row's residual is when a and b are right.
FitProblem line_problem(std::vector<double> off, std::vector<std::size_t> clusters) {
  const std::size_t rows = off.size();
  return {.start = {1.0, 1.0},
          .lower = {-100.0, -100.0},
          .upper = {100.0, 100.0},
          .rows = rows,
          .residuals =
              [off = std::move(off)](std::span<const double> values, std::span<double> into) {
                for (std::size_t i = 0; i < off.size(); ++i) {
                  const auto x = static_cast<double>(i);
                  into[i] = (values[0] - 3.0) * x + (values[1] - 2.0) + off[i];
                }
              },
          .clusters = std::move(clusters)};
}

TEST(RobustFit, FindsTheLineThroughExactPoints) {
  const Fit fit = robust_fit(line_problem({0.0, 0.0, 0.0, 0.0}, {0, 1, 2, 3}));
  EXPECT_NEAR(fit.values[0], 3.0, 1e-4);
  EXPECT_NEAR(fit.values[1], 2.0, 1e-4);
  EXPECT_TRUE(fit.told_apart[0] && fit.told_apart[1]);
  EXPECT_LT(fit.errors[0], 1e-3);
}

TEST(RobustFit, IgnoresARowThatIsFarOff) {
  // The line of least squares through these has b = 2 - 40 / 8 = -3 at a slope beside 3.
  std::vector<double> off(8, 0.0);
  off[3] = 40.0;
  const Fit fit = robust_fit(line_problem(off, {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_NEAR(fit.values[0], 3.0, 0.05);
  EXPECT_NEAR(fit.values[1], 2.0, 0.2);
}

TEST(RobustFit, RowsThatErrTogetherSayLessThanRowsOnTheirOwn) {
  // Errors of one sign in each half: halves as clusters say that the level is hardly known.
  const std::vector<double> off{0.02, 0.02, 0.02, 0.02, -0.02, -0.02, -0.02, -0.02};
  FitProblem alone = line_problem(off, {0, 1, 2, 3, 4, 5, 6, 7});
  FitProblem together = line_problem(off, {0, 0, 0, 0, 1, 1, 1, 1});
  for (FitProblem* const problem : {&alone, &together}) {
    problem->start = {2.0};
    problem->lower = {-100.0};
    problem->upper = {100.0};
    problem->residuals = [off](std::span<const double> values, std::span<double> into) {
      for (std::size_t i = 0; i < off.size(); ++i) into[i] = values[0] - 2.0 + off[i];
    };
  }
  const Fit own = robust_fit(alone);
  const Fit shared = robust_fit(together);
  EXPECT_NEAR(own.values[0], 2.0, 1e-3);
  // Rows alone: 0.02 / sqrt(8), times sqrt(8 / 7). Halves: 0.02 / sqrt(2), times sqrt(2). Both
  // times (1 + u^2) / (1 - u^2), u = 1 / 1.4826 of each row: what rows of this size pull, over how
  // fast the pull changes.
  const double pull = (1.0 + 1.0 / (1.4826 * 1.4826)) / (1.0 - 1.0 / (1.4826 * 1.4826));
  EXPECT_NEAR(own.errors[0], pull * 0.02 / std::sqrt(7.0), 1e-4);
  EXPECT_NEAR(shared.errors[0], pull * 0.02, 1e-4);
}

TEST(RobustFit, StaysWithinItsBounds) {
  FitProblem problem = line_problem({0.0, 0.0, 0.0, 0.0}, {0, 1, 2, 3});
  problem.upper = {2.5, 100.0};
  const Fit fit = robust_fit(problem);
  EXPECT_DOUBLE_EQ(fit.values[0], 2.5);
  // Of the slope's 0.5 that is missing the level takes what it can: it lies between what is right
  // at x = 0 and what would be at x = 3.
  EXPECT_GT(fit.values[1], 2.0);
  EXPECT_LT(fit.values[1], 3.5);
}

TEST(RobustFit, SaysWhichNumbersNoRowHolds) {
  FitProblem problem = line_problem({0.01, -0.01, 0.01, 0.0}, {0, 1, 2, 3});
  problem.start = {1.0, 1.0, 5.0, 7.0};
  problem.lower = {-100.0, -100.0, 0.0, 0.0};
  problem.upper = {100.0, 100.0, 10.0, 10.0};
  problem.residuals = [](std::span<const double> values, std::span<double> into) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      // The first and the third number are one, the last is nowhere.
      into[i] = (values[0] + values[2] - 7.0) * static_cast<double>(i) + values[1] - 2.0 +
                (i == 2 ? 0.01 : 0.0);
    }
  };
  const Fit fit = robust_fit(problem);
  EXPECT_FALSE(fit.told_apart[0]);
  EXPECT_TRUE(fit.told_apart[1]);
  EXPECT_FALSE(fit.told_apart[2]);
  EXPECT_FALSE(fit.told_apart[3]);
  EXPECT_TRUE(std::isinf(fit.errors[3]));
  EXPECT_DOUBLE_EQ(fit.values[3], 7.0);
}

}  // namespace
}  // namespace cubicbench::predictor
