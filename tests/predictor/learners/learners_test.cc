// What single predictors make of tables whose answer can be said in advance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "predictor/learners/boosted_trees.h"
#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "sim/base/philox.h"
#include "support/input_error.h"
#include "tests/predictor/synthetic_data.h"

namespace cubicbench::predictor {
namespace {

using datasets::Dataset;
using Jobs = std::vector<std::size_t>;

datasets::Job job_of(std::uint64_t configuration, std::int64_t gpus, double log_value) {
  datasets::Job job;
  job.configuration = configuration;
  job.gpus = gpus;
  job.value = std::exp(log_value);
  return job;
}

/// Jobs of one number each, on that many GPUs as well.
Dataset line(const std::vector<double>& numbers, const std::vector<double>& log_values) {
  Dataset data;
  data.columns = {{.name = "x"}};
  data.cells = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    data.jobs.push_back(job_of(i, static_cast<std::int64_t>(numbers[i]), log_values[i]));
  }
  return data;
}

Jobs first(std::size_t count) {
  Jobs jobs;
  for (std::size_t i = 0; i < count; ++i) jobs.push_back(i);
  return jobs;
}

std::vector<double> predict(const char* name, const Dataset& data, std::size_t train,
                            const Jobs& test) {
  return find_predictor(name, "test").fit(data, first(train), 1)->predict(data, test);
}

TEST(Constant, IsTheMedian) {
  const Dataset data = line({1, 2, 3, 9}, {1, 2, 6, 0});
  EXPECT_NEAR(predict("constant", data, 3, {3})[0], 2.0, 1e-15);
}

// Medians 1 at 8 GPUs and 3 at 32: a unit for each doubling, between and beyond.
TEST(GpuCount, DrawsStraightLinesInLog2Gpus) {
  const Dataset data = line({8, 8, 8, 32, 16, 64, 4, 8}, {0, 1, 7, 3, 0, 0, 0, 0});
  const std::vector<double> predicted = predict("gpu-count", data, 4, {4, 5, 6, 7});
  const std::vector<double> expected{2, 4, 0, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(predicted[i], expected[i], 1e-12);
  EXPECT_NEAR(predict("gpu-count", data, 3, {5})[0], 1.0, 1e-12);  // one count says nothing more
}

TEST(Ridge, FindsAParabola) {
  std::vector<double> numbers;
  std::vector<double> values;
  for (int i = 1; i <= 40; ++i) {
    const double x = i;
    numbers.push_back(x);
    values.push_back(2.0 + 0.1 * x - 0.002 * x * x);
  }
  const Dataset data = line(numbers, values);
  const std::vector<double> predicted = predict("ridge", data, 40, first(40));
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(predicted[i], values[i], 0.01);
}

// What does not matter is shrunk away: 200 jobs of pure noise are told by little but their mean.
TEST(Ridge, ShrinksWhatOnlyNoiseExplains) {
  Dataset data;
  double mean = 0.0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const double noise = sim::standard_normal({.seed = 5, .entity = i});
    mean += i < 200 ? noise / 200.0 : 0.0;
    data.jobs.push_back(job_of(i, 8, noise));
  }
  for (std::uint32_t column = 0; column < 10; ++column) {
    data.columns.push_back({.name = std::to_string(column)});
  }
  for (std::uint64_t cell = 0; cell < 3000; ++cell) {
    data.cells.push_back(sim::standard_normal({.seed = 6, .entity = cell}));
  }
  Jobs test;
  for (std::size_t i = 200; i < 300; ++i) test.push_back(i);
  for (const double value : predict("ridge", data, 200, test)) EXPECT_NEAR(value, mean, 0.5);
}

TEST(Neighbours, RepeatsWhatItHasSeen) {
  const Dataset data = line({1, 2, 3, 4, 5, 6, 3}, {5, 1, 4, 2, 6, 0, 0});
  EXPECT_NEAR(predict("knn", data, 6, {6})[0], 4.0, 1e-4);
}

TEST(Neighbours, EqualJobsShareTheirMean) {
  const Dataset data = line({1, 1, 1, 1, 9, 9, 9, 9, 1, 9}, {1, 2, 1, 2, 5, 6, 5, 6, 0, 0});
  const std::vector<double> predicted = predict("knn", data, 8, {8, 9});
  EXPECT_NEAR(predicted[0], 1.5, 0.2);
  EXPECT_NEAR(predicted[1], 5.5, 0.2);
}

FeatureMatrix column(const std::vector<double>& values) {
  return {.rows = values.size(), .columns = 1, .cells = values};
}

TEST(BoostedTrees, LearnAStepAndWhereTheUnknownGoes) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i % 3 == 2 ? std::nan("") : i);
    y.push_back(i % 3 == 2 ? 9.0 : i < 30 ? 3.0 : 5.0);
  }
  const BoostedTrees trees(column(x), y, {}, 1);
  const std::vector<double> predicted = trees.predict(column({0, 10, 50, 58, std::nan("")}));
  const std::vector<double> expected{3, 3, 5, 5, 9};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(predicted[i], expected[i], 0.05);
}

TEST(BoostedTrees, PairsTellOrder) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    y.push_back(-std::abs(i - 20.0));
  }
  const BoostedTrees trees(column(x), y, {.objective = TreeObjective::pairwise}, 1);
  const std::vector<double> predicted = trees.predict(column({2, 9, 19, 31, 38}));
  EXPECT_LT(predicted[0], predicted[1]);
  EXPECT_LT(predicted[1], predicted[2]);
  EXPECT_LT(predicted[3], predicted[2]);
  EXPECT_LT(predicted[4], predicted[3]);
}

TEST(BoostedTrees, HaveNoNeedOfFeatures) {
  const FeatureMatrix none{.rows = 3, .columns = 0, .cells = {}};
  const std::vector<double> labels{1, 2, 6};
  EXPECT_EQ(BoostedTrees(none, labels, {}, 1).predict(none), std::vector<double>(3, 2.0));
}

TEST(BoostedTrees, SaysWhatTheLibraryRefuses) {
  const FeatureMatrix two = column({1, 2});
  const std::vector<double> labels{0, 2};  // no probability
  try {
    const BoostedTrees trees(two, labels, {.objective = TreeObjective::logistic}, 1);
    FAIL() << "accepted";
  } catch (const support::OutputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("XGBoost: "), 0U);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(Feasibility, OfOneClassIsTheSmoothedShare) {
  Dataset data = synthetic_data(20, 1);
  EXPECT_EQ(fit_feasibility(data, first(8), 1)->predict(data, Jobs{9})[0], 9.0 / 10.0);
  for (auto& job : data.jobs) job.status = datasets::JobStatus::out_of_memory;
  EXPECT_EQ(fit_feasibility(data, first(8), 1)->predict(data, Jobs{9})[0], 1.0 / 10.0);
}

// Jobs that run out of memory never measure what they would have measured next.
TEST(Feasibility, IsNotToldByWhatIsKnown) {
  Dataset telling = synthetic_data(80, 4);
  fail_large_jobs(telling);
  Dataset silent = telling;
  for (std::size_t job = 0; job < telling.jobs.size(); ++job) {
    double& measured = telling.cells[job * telling.columns.size() + 4];
    if (!fits(telling.jobs[job])) measured = std::nan("");
    silent.cells[job * silent.columns.size() + 4] = 0.0;
  }
  EXPECT_EQ(fit_feasibility(telling, first(60), 1)->predict(telling, Jobs{61, 70, 79}),
            fit_feasibility(silent, first(60), 1)->predict(silent, Jobs{61, 70, 79}));
  const auto& hybrid = find_predictor("hybrid", "test");
  EXPECT_EQ(hybrid.fit_feasibility(telling, first(60), 1)->predict(telling, Jobs{61, 70, 79}),
            hybrid.fit_feasibility(silent, first(60), 1)->predict(silent, Jobs{61, 70, 79}));
}

// Untimed jobs fitted, and say so.
TEST(Feasibility, CountsUntimedJobsAsFitting) {
  datasets::Job job;
  for (const auto status : {datasets::JobStatus::ok, datasets::JobStatus::untimed,
                            datasets::JobStatus::out_of_memory}) {
    job.status = status;
    EXPECT_EQ(fits(job), status != datasets::JobStatus::out_of_memory);
  }
}

// Of the jobs that get a probability of about p, a share of about p fits.
TEST(Feasibility, ProbabilitiesAreShares) {
  Dataset data = synthetic_data(3000, 2);
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    const double chance = data.row(job)[1] / 4.0;
    const bool fails = sim::uniform({.seed = 3, .entity = job}) < chance;
    data.jobs[job].status =
        fails ? datasets::JobStatus::out_of_memory : datasets::JobStatus::untimed;
  }
  Jobs test;
  for (std::size_t job = 1500; job < 3000; ++job) test.push_back(job);
  const std::vector<double> predicted = fit_feasibility(data, first(1500), 1)->predict(data, test);
  for (int tenth = 1; tenth < 9; ++tenth) {
    double sum = 0.0;
    double fitting = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < test.size(); ++i) {
      if (static_cast<int>(predicted[i] * 10.0) != tenth) continue;
      sum += predicted[i];
      fitting += fits(data.jobs[test[i]]) ? 1.0 : 0.0;
      count += 1.0;
    }
    ASSERT_GT(count, 50.0);
    EXPECT_NEAR(fitting / count, sum / count, 0.17) << tenth;
  }
}

TEST(PredictorRegistry, IsSortedAndDescribed) {
  const auto all = predictors();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &PredictorEntry::name));
  for (const PredictorEntry& entry : all) {
    SCOPED_TRACE(entry.name);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_NE(entry.fit, nullptr);
    EXPECT_EQ(&find_predictor(entry.name, "--predictor"), &entry);
  }
}

TEST(PredictorRegistry, SuggestsANameThatIsClose) {
  try {
    find_predictor("xgbost", "--predictor");
    FAIL() << "accepted";
  } catch (const support::InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("--predictor: expected one of constant, "), 0U) << message;
    EXPECT_NE(message.find("got \"xgbost\"; did you mean \"xgboost\"?"), std::string::npos)
        << message;
  }
}

TEST(PredictorRegistry, AskingTheSimulatorIsAPrivilegeOnSimulatedDataOnly) {
  const PredictorEntry asks{.name = "", .summary = "", .asks_simulator = true, .fit = nullptr};
  const PredictorEntry learns{.name = "", .summary = "", .fit = nullptr};
  Dataset data;
  EXPECT_FALSE(is_privileged(asks, data));
  data.simulated = true;
  EXPECT_TRUE(is_privileged(asks, data));
  EXPECT_FALSE(is_privileged(learns, data));
}

}  // namespace
}  // namespace cubicbench::predictor
