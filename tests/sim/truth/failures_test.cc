#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "sim/truth/noise_and_failures.h"

namespace cubicbench::sim {
namespace {

constexpr int jobs = 40'000;
constexpr Seconds hour{3600.0};

Draw job_number(int i) {
  return {.seed = 9, .purpose = Purpose::failure, .entity = static_cast<std::uint64_t>(i)};
}

TEST(Failures, RateIsThePublishedOne) {
  // 419 in 54 days on 16,384 GPUs: 0.3233 an hour.
  const double per_hour = 419.0 / (54.0 * 24.0);
  int failures = 0;
  int hangs = 0;
  double hours = 0.0;
  for (int i = 0; i < jobs; ++i) {
    const auto first = first_interruption(llama3_2024, 16'384, hour, job_number(i));
    hours += first ? first->after / hour : 1.0;
    failures += first ? 1 : 0;
    hangs += first && first->hangs ? 1 : 0;
    if (first) {
      EXPECT_LT(first->after, hour);
    }
  }
  const double n = failures;
  EXPECT_NEAR(n / hours, per_hour, 4.0 * per_hour / std::sqrt(n));
  const double share = 1.0 - std::exp(-per_hour);  // of jobs that fail within the hour
  EXPECT_NEAR(n / jobs, share, 4.0 * std::sqrt(share * (1.0 - share) / jobs));
  const double hang = 7.0 / 419.0;
  EXPECT_NEAR(hangs / n, hang, 4.0 * std::sqrt(hang * (1.0 - hang) / n));
}

TEST(Failures, HalfTheGpusFailAsOftenInTwiceTheTime) {
  for (int i = 0; i < 200; ++i) {
    const auto whole = first_interruption(llama3_2024, 16'384, 100.0 * hour, job_number(i));
    const auto half = first_interruption(llama3_2024, 8'192, 200.0 * hour, job_number(i));
    ASSERT_TRUE(whole && half);
    EXPECT_NEAR(half->after / whole->after, 2.0, 1e-12);
    EXPECT_EQ(half->hangs, whole->hangs);
  }
}

TEST(Failures, NoneNeverFails) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(first_interruption(FailureModel{}, 16'384, 1e6 * hour, job_number(i)));
  }
}

}  // namespace
}  // namespace cubicbench::sim
