// Nothing but the training jobs' outcomes may tell a predictor about the tested ones: when outcomes
// are dealt at random, all of them fall to chance. Physics is left as it is, so that predictors
// which ask the simulator see something true, but about other jobs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "predictor/judging/protocol.h"
#include "predictor/learners/registry.h"
#include "tests/predictor/synthetic_data.h"

namespace cubicbench::predictor {
namespace {

constexpr int deals = 6;
constexpr std::int64_t rows = 260;
constexpr std::int64_t train = 60;

Protocol protocol_of(const PredictorEntry& entry) {
  return {.predictors = {&entry}, .train = {train}, .repeats = 1};
}

// Tau of n = 200 independent pairs has variance 2 (2n + 5) / (9 n (n - 1)), a standard deviation of
// 0.048; the mean of six deals 0.0195. The bound is four of them.
TEST(Leakage, ShuffledOutcomesBringEveryPredictorToChance) {
  const double n = static_cast<double>(rows - train);
  const double bound = 4.0 * std::sqrt(2.0 * (2.0 * n + 5.0) / (9.0 * n * (n - 1.0)) / deals);
  for (const PredictorEntry& entry : predictors()) {
    SCOPED_TRACE(entry.name);
    double sum = 0.0;
    double sum_with_truth = 0.0;
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
      datasets::Dataset data = synthetic_data(rows, deal);
      sum_with_truth += judge(data, protocol_of(entry), 1).judgements.front().kendall.mean;
      shuffle_outcomes(data, deal);
      sum += judge(data, protocol_of(entry), 1).judgements.front().kendall.mean;
    }
    EXPECT_LT(std::abs(sum / deals), bound);
    // The same data before it is shuffled has something to learn.
    EXPECT_GT(sum_with_truth / deals, entry.name == "constant" ? -0.01 : 0.25);
  }
}

// A third of the jobs fails: the area under the curve of 67 against 133 random scores has variance
// (67 + 133 + 1) / (12 x 67 x 133), a standard deviation of 0.043; the bound is four of six deals'.
TEST(Leakage, ShuffledOutcomesBringEveryFeasibilityHeadToChance) {
  const double bound = 4.0 * std::sqrt(201.0 / (12.0 * 67.0 * 133.0) / deals);
  for (const PredictorEntry& entry : predictors()) {
    SCOPED_TRACE(entry.name);
    double sum = 0.0;
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
      datasets::Dataset data = synthetic_data(rows, 10 + deal);
      fail_large_jobs(data);
      shuffle_outcomes(data, deal);
      const JudgedDataset judged = judge(data, protocol_of(entry), 1);
      ASSERT_TRUE(judged.judgements.front().feasibility);
      sum += judged.judgements.front().feasibility->auroc.mean;
    }
    EXPECT_NEAR(sum / deals, 0.5, bound);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
