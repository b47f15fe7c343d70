#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/slowest.h"
#include "sim/truth/noise_and_failures.h"
#include "tests/sim/base/slowest_sd.h"

namespace cubicbench::sim {
namespace {

TEST(StepDistribution, ReproducesThePublishedSpreadOnOneNode) {
  const double mean = 1.0 + slowest_mean(field_jitter.gpu_mean, 8);
  EXPECT_NEAR(4377.9 * slowest_sd(field_jitter.gpu_mean, 8) / mean, 20.9, 1e-6);
}

TEST(StepDistribution, MatchesHandComputedDelays) {
  // One GPU: mean 0.01, median 0.01 ln 2, P90 0.01 ln 10.
  const StepJitter jitter{.gpu_mean = 0.01};
  EXPECT_DOUBLE_EQ(step_distribution(jitter, 1, 0.5).mean, 0.01);
  EXPECT_NEAR(step_distribution(jitter, 1, 0.5).percentile, 0.00693147181, 1e-11);
  EXPECT_NEAR(step_distribution(jitter, 1, 0.9).percentile, 0.02302585093, 1e-12);
  // 16,384 GPUs: mean 0.01 (ln 16384 + 0.57722 + 1/32768), median 0.01 (ln 16384 - ln ln 2).
  const StepDistribution many = step_distribution(jitter, 16'384, 0.5);
  EXPECT_NEAR(many.mean, 0.01 * (9.7040605 + 0.5772157 + 0.0000305), 1e-8);
  EXPECT_NEAR(many.percentile, 0.01 * (9.7040605 + 0.3665129), 1e-6);
}

TEST(StepDistribution, WithoutJitterEveryStepIsTheIdealOne) {
  EXPECT_EQ(step_distribution(StepJitter{}, 16'384, 0.99), StepDistribution{});
}

}  // namespace
}  // namespace cubicbench::sim
