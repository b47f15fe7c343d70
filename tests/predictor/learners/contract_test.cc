// What every predictor of the registry promises, tried on small and odd data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "tests/predictor/synthetic_data.h"

namespace cubicbench::predictor {
namespace {

using datasets::Dataset;
using Jobs = std::vector<std::size_t>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Jobs range(std::size_t begin, std::size_t end) {
  Jobs jobs(end - begin);
  std::iota(jobs.begin(), jobs.end(), begin);
  return jobs;
}

struct Odd {
  std::string name;
  Dataset data;
  Jobs train, test;
};

Odd odd(std::string name, const std::function<void(Dataset&)>& change, std::size_t train = 20) {
  Odd odd{.name = std::move(name),
          .data = synthetic_data(40, 1),
          .train = range(0, train),
          .test = range(train, 40)};
  change(odd.data);
  return odd;
}

void set_column(Dataset& data, std::size_t column, double value) {
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    data.cells[job * data.columns.size() + column] = value;
  }
}

std::vector<Odd> odd_ones() {
  return {
      odd("plain", [](Dataset&) {}),
      odd(
          "one job to learn from", [](Dataset&) {}, 1),
      odd(
          "two jobs to learn from", [](Dataset&) {}, 2),
      odd("one value",
          [](Dataset& data) {
            for (auto& job : data.jobs) job.value = 5.0;
          }),
      odd("values over 40 decades",
          [](Dataset& data) {
            for (std::size_t i = 0; i < 40; ++i) {
              data.jobs[i].value = std::ldexp(1.0, static_cast<int>(3 * i) - 60);
            }
          }),
      odd("constant columns",
          [](Dataset& data) {
            for (std::size_t column = 0; column < 5; ++column) set_column(data, column, 1.0);
          }),
      odd("nothing known",
          [](Dataset& data) {
            for (std::size_t column = 0; column < 5; ++column) set_column(data, column, nan);
          }),
      odd("a column without a number", [](Dataset& data) { set_column(data, 1, nan); }),
      odd("a number known of tested jobs only",
          [](Dataset& data) {
            for (std::size_t job = 0; job < 20; ++job) data.cells[job * 5 + 1] = nan;
          }),
      odd("a level of tested jobs only",
          [](Dataset& data) {
            for (std::size_t job = 0; job < 40; ++job) data.cells[job * 5 + 3] = job < 20 ? 0 : 2;
          }),
      odd("tested jobs far away",
          [](Dataset& data) {
            for (std::size_t job = 20; job < 40; ++job) data.cells[job * 5 + 1] = 1e9;
          }),
      odd("one GPU count",
          [](Dataset& data) {
            for (auto& job : data.jobs) job.gpus = 8;
            set_column(data, 0, 3.0);
          }),
      odd("equal rows",
          [](Dataset& data) {
            for (std::size_t cell = 5; cell < data.cells.size(); ++cell) {
              data.cells[cell] = data.cells[cell - 5];
            }
          }),
      odd("no columns",
          [](Dataset& data) {
            data.columns.clear();
            data.cells.clear();
          }),
      odd("no simulator",
          [](Dataset& data) {
            data.physics_columns.clear();
            data.physics.clear();
          }),
      odd("a simulator without answers",
          [](Dataset& data) { std::ranges::fill(data.physics, nan); }),
      odd("a simulator without answers about tested jobs",
          [](Dataset& data) { std::fill(data.physics.begin() + 2 * 20, data.physics.end(), nan); }),
  };
}

TEST(PredictorContract, PredictionsAreFiniteAndPure) {
  const std::vector<Odd> data = odd_ones();
  for (const PredictorEntry& entry : predictors()) {
    for (const auto& [name, of, train, test] : data) {
      SCOPED_TRACE(std::string(entry.name) + ", " + name);
      const auto model = entry.fit(of, train, 7);
      const std::vector<double> predicted = model->predict(of, test);
      ASSERT_EQ(predicted.size(), test.size());
      for (const double value : predicted) EXPECT_TRUE(std::isfinite(value));
      EXPECT_EQ(model->predict(of, test), predicted);
      EXPECT_EQ(entry.fit(of, train, 7)->predict(of, test), predicted);
      EXPECT_TRUE(model->predict(of, {}).empty());
    }
  }
}

TEST(PredictorContract, EachJobIsPredictedByItself) {
  const Dataset data = synthetic_data(60, 2);
  const Jobs train = range(0, 30);
  Jobs test = range(30, 60);
  for (const PredictorEntry& entry : predictors()) {
    SCOPED_TRACE(entry.name);
    const auto model = entry.fit(data, train, 3);
    std::vector<double> predicted = model->predict(data, test);
    std::ranges::reverse(predicted);
    Jobs reversed = test;
    std::ranges::reverse(reversed);
    EXPECT_EQ(model->predict(data, reversed), predicted);
    EXPECT_EQ(model->predict(data, Jobs{test.back()}), std::vector<double>{predicted.front()});
  }
}

// What is not told to the model cannot matter: outcomes of jobs that it does not learn from.
TEST(PredictorContract, OutcomesOfOtherJobsDoNotMatter) {
  const Dataset data = synthetic_data(60, 3);
  Dataset other = data;
  for (std::size_t job = 30; job < 60; ++job) {
    other.jobs[job].value = 1.0;
    other.jobs[job].noise_free = 1.0;
  }
  for (const PredictorEntry& entry : predictors()) {
    SCOPED_TRACE(entry.name);
    const Jobs train = range(0, 30);
    const Jobs test = range(30, 60);
    EXPECT_EQ(entry.fit(data, train, 3)->predict(data, test),
              entry.fit(other, train, 3)->predict(other, test));
  }
}

// The logarithm is learnt: a different unit moves estimates by its logarithm and no order. The
// simulator has a unit of its own.
TEST(PredictorContract, UnitsOfTheTargetDoNotMatter) {
  const Dataset data = synthetic_data(60, 4);
  Dataset other = data;
  for (auto& job : other.jobs) job.value = *job.value * 1024.0;
  const double log_unit = 10.0 * std::log(2.0);
  for (const PredictorEntry& entry : predictors()) {
    if (!entry.calibrated || entry.asks_simulator) continue;
    SCOPED_TRACE(entry.name);
    const Jobs train = range(0, 30);
    const Jobs test = range(30, 60);
    const std::vector<double> before = entry.fit(data, train, 3)->predict(data, test);
    const std::vector<double> after = entry.fit(other, train, 3)->predict(other, test);
    for (std::size_t i = 0; i < test.size(); ++i) {
      EXPECT_NEAR(after[i] - before[i], log_unit, 0.05);
    }
  }
}

TEST(PredictorContract, FeasibilityIsAProbability) {
  for (Odd& of : odd_ones()) {
    if (of.data.columns.size() == 5) fail_large_jobs(of.data);
    for (const PredictorEntry& entry : predictors()) {
      SCOPED_TRACE(std::string(entry.name) + ", " + of.name);
      const auto fit = entry.fit_feasibility != nullptr ? entry.fit_feasibility : fit_feasibility;
      const std::vector<double> fits = fit(of.data, of.train, 1)->predict(of.data, of.test);
      ASSERT_EQ(fits.size(), of.test.size());
      for (const double share : fits) EXPECT_TRUE(share >= 0.0 && share <= 1.0) << share;
      EXPECT_EQ(fit(of.data, of.train, 1)->predict(of.data, of.test), fits);
    }
  }
}

}  // namespace
}  // namespace cubicbench::predictor
