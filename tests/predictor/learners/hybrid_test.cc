// The predictors that ask the simulator, on the real sweep.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/tables/measurement.h"
#include "predictor/encoding/encoding.h"
#include "predictor/judging/protocol.h"
#include "predictor/learners/boosted_trees.h"
#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "predictor/learners/slow_state.h"
#include "sim/base/numeric.h"
#include "support/statistics/correlation.h"
#include "tests/predictor/synthetic_data.h"

namespace cubicbench::predictor {
namespace {

using datasets::Dataset;
using Jobs = std::vector<std::size_t>;

const Dataset& sweep() {
  static const Dataset data = datasets::measured_dataset(
      datasets::find_measurements("hf_ultrascale_nanotron_sweep", "the test's table"),
      datasets::FeatureSet::launch);
  return data;
}

std::vector<Judgement> judged(const Dataset& data, std::vector<std::string_view> names,
                              std::int64_t train, datasets::SplitKind split) {
  Protocol protocol{.predictors = {}, .split = split, .train = {train}, .repeats = 3};
  for (const std::string_view name : names) {
    protocol.predictors.push_back(&find_predictor(name, "the test"));
  }
  return judge(data, protocol, 2).judgements;
}

/// Jobs in one of two states, five times apart, that the layout decides: more than one stage on
/// more than one node. The simulator knows both times to 5 %.
Dataset two_states(std::int64_t rows) {
  Dataset data;
  data.physics_columns = {{.name = datasets::simulated_column},
                          {.name = datasets::slow_column},
                          {.name = "log2_pipeline_parallel"}};
  for (std::int64_t i = 0; i < rows; ++i) {
    const double simulated = 0.001 * static_cast<double>((i * 37) % 1000);
    const double slow = i % 4 == 0 ? simulated : simulated - sim::log(5.0);
    const bool staged = i % 3 == 0;
    const double wobble = 0.05 * (static_cast<double>(i % 5) - 2.0) / 2.0;
    data.jobs.push_back({.id = "",
                         .workload = "",
                         .cluster = "",
                         .value = sim::exp((staged ? slow : simulated) + wobble)});
    data.physics.insert(data.physics.end(), {simulated, slow, staged ? 1.0 : 0.0});
  }
  return data;
}

Jobs numbered(std::size_t begin, std::size_t end) {
  Jobs jobs;
  for (std::size_t i = begin; i < end; ++i) jobs.push_back(i);
  return jobs;
}

TEST(SlowState, IsLearntFromTheLayout) {
  const Dataset data = two_states(160);
  const Jobs train = numbered(0, 80);
  const SlowState state(data, train, log_values(data, train), 0);
  const Jobs test = numbered(80, 160);
  const std::vector<double> shares = state.shares(data, test);
  for (std::size_t i = 0; i < test.size(); ++i) {
    EXPECT_NEAR(shares[i], test[i] % 3 == 0 ? 1.0 : 0.0, 0.1) << test[i];
  }
}

TEST(SlowState, IsNothingWhereNoJobTellsTheStatesApart) {
  Dataset data = two_states(20);
  for (std::size_t i = 0; i < data.jobs.size(); ++i) data.physics[3 * i + 1] = data.physics[3 * i];
  const Jobs train = numbered(0, 10);
  const SlowState state(data, train, log_values(data, train), 0);
  EXPECT_EQ(state.shares(data, numbered(10, 20)), std::vector<double>(10, 0.0));
}

// Of a thousand equal rows, a weight of three is three rows.
TEST(BoostedTrees, WeighRows) {
  FeatureMatrix features{.rows = 4, .columns = 1, .cells = {0.0, 0.0, 1.0, 1.0}};
  const std::vector<double> labels{0.0, 1.0, 2.0, 4.0};
  const std::vector<double> weights{3.0, 1.0, 1.0, 3.0};
  const BoostedTrees trees(
      features, labels,
      {.rounds = 400, .learning_rate = 0.1, .row_share = 1.0, .column_share = 1.0, .penalty = 0.0},
      0, weights);
  const std::vector<double> predicted = trees.predict(features);
  EXPECT_NEAR(predicted[0], 0.25, 1e-3);
  EXPECT_NEAR(predicted[2], 3.5, 1e-3);
}

TEST(MemoryHead, KnowsBeforeItIsTaughtWhereMemoryIsFull) {
  Dataset data = synthetic_data(3, 0);
  data.physics_columns = {{.name = datasets::memory_column}};
  data.physics = {0.5, 1.0, 2.0};
  for (datasets::Job& job : data.jobs) job.status = datasets::JobStatus::ok;
  data.jobs[2].status = datasets::JobStatus::out_of_memory;
  const MemoryHead head(data, numbered(0, 3));
  const std::vector<double> logits = head.logits(data, numbered(0, 3));
  EXPECT_GT(probability_of(logits[0]), 0.99);
  EXPECT_LT(probability_of(logits[2]), 0.01);
  EXPECT_GT(logits[0], logits[1]);
  EXPECT_GT(logits[1], logits[2]);
}

TEST(MemoryHead, LogitsAndProbabilitiesAreInverse) {
  for (const double p : {0.001, 0.25, 0.5, 0.999}) {
    EXPECT_NEAR(probability_of(logit_of(p)), p, 1e-12);
  }
  EXPECT_LT(probability_of(-1e9), 1e-12);
}

TEST(Roofline, IsTheSimulatorMovedByTheMedianDifference) {
  Dataset data = two_states(5);
  data.physics = {1, 1, 0, 2, 2, 0, 3, 3, 0, 4, 4, 0, std::nan(""), 0, 0};
  const std::array<double, 5> log_values{1.5, 2.25, 13.0, 0.0, 7.0};
  for (std::size_t i = 0; i < 5; ++i) data.jobs[i].value = sim::exp(log_values[i]);
  const auto model = roofline_predictor().fit(data, numbered(0, 3), 0);
  // Differences 0.5, 0.25 and 10; values 1.5, 2.25 and 13.
  const std::vector<double> predicted = model->predict(data, numbered(3, 5));
  EXPECT_NEAR(predicted[0], 4.5, 1e-12);
  EXPECT_NEAR(predicted[1], 2.25, 1e-12);
}

/// A job of `data` that the simulator has no answer for.
void forget_physics(Dataset& data, std::size_t job) {
  const std::size_t columns = data.physics_columns.size();
  for (std::size_t i = 0; i < columns; ++i) data.physics[job * columns + i] = std::nan("");
}

TEST(Hybrid, IsTreesWhereTheSimulatorHasNoAnswers) {
  Dataset data = synthetic_data(120, 1);
  fail_large_jobs(data);
  for (std::size_t job = 0; job < data.jobs.size(); ++job) forget_physics(data, job);
  const Jobs timed = datasets::timed_jobs(data);
  const std::span train = std::span(timed).first(40);
  const std::span test = std::span(timed).subspan(40);
  EXPECT_EQ(hybrid_predictor().fit(data, train, 3)->predict(data, test),
            xgboost_predictor().fit(data, train, 3)->predict(data, test));
  EXPECT_EQ(
      hybrid_predictor().fit_feasibility(data, numbered(0, 60), 3)->predict(data, numbered(60, 90)),
      fit_feasibility(data, numbered(0, 60), 3)->predict(data, numbered(60, 90)));
}

// Tested jobs are lacking an answer, none of those that it learns from.
TEST(Hybrid, IsTreesOfASingleJobWithoutAnAnswer) {
  Dataset data = synthetic_data(60, 2);
  const Jobs train = numbered(0, 50);
  const Jobs test = numbered(50, 60);
  const std::vector<double> all_known = hybrid_predictor().fit(data, train, 0)->predict(data, test);
  forget_physics(data, 57);
  const std::vector<double> predicted = hybrid_predictor().fit(data, train, 0)->predict(data, test);
  const std::vector<double> trees = xgboost_predictor().fit(data, train, 0)->predict(data, test);
  for (std::size_t i = 0; i < test.size(); ++i) {
    EXPECT_EQ(predicted[i], test[i] == 57 ? trees[i] : all_known[i]) << test[i];
  }
}

TEST(Hybrid, LearnsFromJobsWithAndWithoutAnAnswer) {
  Dataset data = synthetic_data(300, 3);
  for (std::size_t job = 0; job < data.jobs.size(); job += 2) forget_physics(data, job);
  const auto of = judged(data, {"hybrid", "xgboost"}, 60, datasets::SplitKind::random);
  EXPECT_GT(of[0].kendall.mean, of[1].kendall.mean);
}

TEST(Hybrid, BeatsTreesOnTheSweepByAMargin) {
  for (const auto& [train, least, margin] :
       {std::array{40.0, 0.86, 0.10}, std::array{150.0, 0.89, 0.05}}) {
    const auto judgements = judged(sweep(), {"hybrid", "xgboost", "roofline"},
                                   static_cast<std::int64_t>(train), datasets::SplitKind::random);
    EXPECT_FALSE(judgements[0].privileged);
    EXPECT_GT(judgements[0].kendall.mean, least);
    EXPECT_GT(judgements[0].kendall.mean, judgements[1].kendall.mean + margin);
    EXPECT_GT(judgements[0].kendall.mean, judgements[2].kendall.mean + 0.08);
    EXPECT_GT(judgements[0].feasibility->auroc.mean, 0.99);
    EXPECT_GT(judgements[2].feasibility->auroc.mean, 0.99);
  }
}

TEST(Hybrid, CarriesOverToLargerJobs) {
  const auto judgements = judged(sweep(), {"hybrid", "xgboost"}, 300, datasets::SplitKind::scale);
  EXPECT_GT(judgements[0].kendall.mean, 0.80);
  EXPECT_GT(judgements[0].kendall.mean, judgements[1].kendall.mean + 0.05);
}

// The simulator's columns know nothing of the outcomes: dealt at random, tau of some 700 pairs has
// a standard deviation of 0.025, its mean over three repeats no more.
TEST(Hybrid, FallsToChanceOnShuffledOutcomes) {
  Dataset data = sweep();
  shuffle_outcomes(data, 1);
  for (const Judgement& judgement :
       judged(data, {"hybrid", "roofline"}, 150, datasets::SplitKind::random)) {
    EXPECT_LT(std::abs(judgement.kendall.mean), 0.1) << judgement.predictor;
    EXPECT_NEAR(judgement.feasibility->auroc.mean, 0.5, 0.08) << judgement.predictor;
  }
}

// One training job in ten runs thirty times slower than it could.
TEST(Hybrid, AFewHungJobsDoNotMatter) {
  const Jobs timed = datasets::timed_jobs(sweep());
  Jobs train, test;
  for (std::size_t i = 0; i < timed.size(); ++i) (i % 6 == 0 ? train : test).push_back(timed[i]);
  Dataset hung = sweep();
  for (std::size_t i = 0; i < train.size(); i += 10) *hung.jobs[train[i]].value /= 30.0;
  const auto tau = [&](const Dataset& data) {
    const auto model = hybrid_predictor().fit(data, train, 0);
    return support::kendall_tau_b(model->predict(data, test), log_values(sweep(), test));
  };
  EXPECT_GT(tau(hung), tau(sweep()) - 0.03);
}

}  // namespace
}  // namespace cubicbench::predictor
