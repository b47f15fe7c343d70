#include "predictor/judging/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "predictor/learners/registry.h"
#include "sim/base/philox.h"
#include "support/input_error.h"
#include "tests/predictor/synthetic_data.h"

namespace cubicbench::predictor {
namespace {

using datasets::Dataset;
using datasets::SplitKind;
using Jobs = std::vector<std::size_t>;

// What the spies saw: (training jobs, predicted jobs), in any order.
std::mutex seen_mutex;
std::set<std::pair<Jobs, Jobs>> seen_by_one, seen_by_two;

/// Predicts the noise-free value of every job and writes down which jobs it was shown.
class Spy : public Model {
 public:
  Spy(Jobs train, std::set<std::pair<Jobs, Jobs>>& seen) : train_(std::move(train)), seen_(seen) {}

  std::vector<double> predict(const Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted;
    for (const std::size_t job : jobs) {
      predicted.push_back(data.jobs[job].noise_free.value_or(0.0) * 1e-6);
    }
    const std::scoped_lock lock(seen_mutex);
    seen_.emplace(train_, Jobs(jobs.begin(), jobs.end()));
    return predicted;
  }

 private:
  Jobs train_;
  std::set<std::pair<Jobs, Jobs>>& seen_;
};

constexpr PredictorEntry spy_one{.name = "spy-one",
                                 .summary = "",
                                 .fit = [](const Dataset&, std::span<const std::size_t> jobs,
                                           std::uint64_t) -> std::unique_ptr<const Model> {
                                   return std::make_unique<Spy>(Jobs(jobs.begin(), jobs.end()),
                                                                seen_by_one);
                                 }};
constexpr PredictorEntry spy_two{.name = "spy-two",
                                 .summary = "",
                                 .asks_simulator = true,
                                 .fit = [](const Dataset&, std::span<const std::size_t> jobs,
                                           std::uint64_t) -> std::unique_ptr<const Model> {
                                   return std::make_unique<Spy>(Jobs(jobs.begin(), jobs.end()),
                                                                seen_by_two);
                                 }};

Protocol spied(SplitKind split, std::vector<std::int64_t> train, std::int64_t repeats) {
  seen_by_one.clear();
  seen_by_two.clear();
  return {.predictors = {&spy_one, &spy_two},
          .split = split,
          .train = std::move(train),
          .repeats = repeats};
}

TEST(Judge, ShowsEveryPredictorTheSameSplits) {
  const Dataset data = synthetic_data(60, 1);
  judge(data, spied(SplitKind::random, {10, 30}, 5), 2);
  EXPECT_EQ(seen_by_one.size(), 10U);
  EXPECT_EQ(seen_by_one, seen_by_two);
  for (const auto& [train, test] : seen_by_one) EXPECT_EQ(train.size() + test.size(), 60U);
}

TEST(Judge, NeverLearnsFromRepeatsOfWhatItIsAsked) {
  Dataset data = synthetic_data(90, 2);
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    data.jobs[job].configuration = sim::uniform_below({.seed = 2, .entity = job}, 60);
    data.jobs[job].cluster = job % 2 == 0 ? "even" : "odd";
    data.jobs[job].searcher = job % 3 == 0 ? "random" : "evolution";
  }
  for (const SplitKind split : {SplitKind::random, SplitKind::time, SplitKind::scale,
                                SplitKind::workload, SplitKind::cluster, SplitKind::searcher}) {
    SCOPED_TRACE(name_of(split));
    judge(data, spied(split, {20}, 6), 1);
    ASSERT_FALSE(seen_by_one.empty());
    for (const auto& [train, test] : seen_by_one) {
      std::set<std::uint64_t> learnt;
      for (const std::size_t job : train) learnt.insert(data.jobs[job].configuration);
      for (const std::size_t job : test)
        EXPECT_FALSE(learnt.contains(data.jobs[job].configuration));
    }
  }
}

TEST(Judge, SaysWhatItDid) {
  Dataset data = synthetic_data(50, 3);
  const JudgedDataset judged = judge(data, spied(SplitKind::random, {10, 30}, 4), 1);
  EXPECT_EQ(judged.dataset, "synthetic");
  EXPECT_EQ(judged.rows, 50);
  ASSERT_EQ(judged.judgements.size(), 4U);
  EXPECT_EQ(judged.judgements[1].predictor, "spy-one");
  EXPECT_EQ(judged.judgements[1].train, 30);
  EXPECT_EQ(judged.judgements[1].test, 20);
  EXPECT_FALSE(judged.judgements[1].privileged);
  EXPECT_TRUE(judged.judgements[2].privileged);
  EXPECT_EQ(judged.judgements[2].train, 10);
  for (const Judgement& judgement : judged.judgements) {
    EXPECT_EQ(judgement.repeats, 4);
    EXPECT_EQ(judgement.kendall_of_repeat.size(), 4U);
    EXPECT_EQ(judgement.first_repeat.size(), static_cast<std::size_t>(judgement.test));
    EXPECT_FALSE(judgement.feasibility);
    EXPECT_TRUE(judgement.kendall_of_total);
  }
  // A tenth of the jobs is always left to test.
  const JudgedDataset greedy = judge(data, spied(SplitKind::random, {30, 60}, 2), 1);
  EXPECT_EQ(greedy.judgements[0].asked, 30);
  EXPECT_EQ(greedy.judgements[0].learnable, 30);
  EXPECT_EQ(greedy.judgements[1].asked, 60);
  EXPECT_EQ(greedy.judgements[1].learnable, 45);
  data.simulated = false;
  data.target = "step_time_s";
  const JudgedDataset measured = judge(data, spied(SplitKind::random, {10}, 1), 1);
  EXPECT_FALSE(measured.judgements[1].privileged);
  EXPECT_FALSE(measured.judgements[1].kendall_of_total);
  EXPECT_FALSE(measured.noise_ceiling_kendall);
  EXPECT_EQ(measured.judgements[1].kendall.sd, 0.0);
}

// The spies know the noise-free value, so they reach what noise leaves.
TEST(Judge, NoiseCeilingIsWhatTheTruthReaches) {
  const Dataset data = synthetic_data(200, 4);
  const JudgedDataset judged = judge(data, spied(SplitKind::random, {20}, 20), 1);
  ASSERT_TRUE(judged.noise_ceiling_kendall);
  EXPECT_GT(*judged.noise_ceiling_kendall, 0.97);
  EXPECT_LT(*judged.noise_ceiling_kendall, 1.0);
  EXPECT_NEAR(judged.judgements[0].kendall.mean, *judged.noise_ceiling_kendall, 0.002);
}

// The later third is noise alone, the rest none: what is tested decides.
TEST(Judge, NoiseCeilingIsOfTheTestPart) {
  Dataset data = synthetic_data(90, 4);
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    data.jobs[job].noise_free = *data.jobs[job].value;
    if (job >= 60) data.jobs[job].noise_free = 1.0 / *data.jobs[job].value;
  }
  const JudgedDataset judged = judge(data, spied(SplitKind::time, {20, 60}, 2), 1);
  ASSERT_TRUE(judged.noise_ceiling_kendall);
  EXPECT_NEAR(*judged.noise_ceiling_kendall, -1.0, 1e-12);
}

TEST(Judge, CountsJobsThatTheSimulatorDoesNotKnow) {
  Dataset data = synthetic_data(60, 4);
  for (const std::size_t job : {3U, 40U}) {
    data.physics[job * data.physics_columns.size()] = std::nan("");
  }
  data.no_physics_reason = "needs a wheel";
  const JudgedDataset judged = judge(data, spied(SplitKind::random, {20}, 1), 1);
  EXPECT_EQ(judged.jobs_without_physics, 2);
  EXPECT_EQ(judged.no_physics_reason, "needs a wheel");
  const Protocol unasking{.predictors = {&spy_one}, .train = {20}, .repeats = 1};
  EXPECT_EQ(judge(data, unasking, 1).jobs_without_physics, 0);
}

TEST(Judge, JudgesFeasibilityWhereJobsRanOutOfMemory) {
  Dataset data = synthetic_data(300, 5);
  fail_large_jobs(data);
  const JudgedDataset judged = judge(data, spied(SplitKind::random, {100}, 3), 1);
  EXPECT_LT(judged.rows, 250);
  ASSERT_TRUE(judged.judgements[0].feasibility);
  EXPECT_GT(judged.judgements[0].feasibility->auroc.mean, 0.97);
  EXPECT_GT(judged.judgements[0].feasibility->auprc.mean, 0.9);
  EXPECT_LT(judged.judgements[0].feasibility->brier.mean, 0.05);
}

/// Every number of a judgement, to the last bit.
std::string text_of(const JudgedDataset& judged) {
  std::ostringstream text;
  text << std::hexfloat;
  const auto add = [&](const support::MeanAndSd& figure) {
    text << figure.mean << ' ' << figure.sd << ' ';
  };
  for (const Judgement& of : judged.judgements) {
    text << of.predictor << ' ' << of.train << ' ' << of.test << ' ';
    for (const support::MeanAndSd& figure :
         {of.kendall, of.spearman, of.pearson_log, of.within_gpu_count_kendall,
          of.mape.value_or(support::MeanAndSd{}),
          of.kendall_of_total.value_or(support::MeanAndSd{}),
          of.spearman_of_total.value_or(support::MeanAndSd{}),
          of.pearson_of_total.value_or(support::MeanAndSd{})}) {
      add(figure);
    }
    for (const support::MeanAndSd& figure : of.top_k_recall) add(figure);
    for (const support::MeanAndSd& figure : of.regret_at) add(figure);
    if (of.feasibility) {
      add(of.feasibility->auroc);
      add(of.feasibility->auprc);
      add(of.feasibility->brier);
    }
    for (const PredictedJob& job : of.first_repeat) text << job.job << ' ' << job.predicted << ' ';
  }
  return text.str();
}

TEST(Judge, GivesTheSameBitsOnAnyNumberOfThreads) {
  Dataset data = synthetic_data(80, 6);
  fail_large_jobs(data);
  Protocol protocol{.predictors = {}, .train = {12, 30}, .repeats = 3};
  for (const PredictorEntry& entry : predictors()) protocol.predictors.push_back(&entry);
  const std::string expected = text_of(judge(data, protocol, 1));
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(text_of(judge(data, protocol, 2)), expected);
  EXPECT_EQ(text_of(judge(data, protocol, 8)), expected);
  protocol.seed = 1;
  EXPECT_NE(text_of(judge(data, protocol, 2)), expected);
}

TEST(Judge, SaysTheSameOfASizeWhateverElseIsAsked) {
  Dataset data = synthetic_data(80, 6);
  fail_large_jobs(data);
  Protocol protocol{
      .predictors = {&find_predictor("xgboost", "the test")}, .train = {12, 30}, .repeats = 2};
  JudgedDataset both = judge(data, protocol, 1);
  both.judgements.erase(both.judgements.begin());
  protocol.train = {30};
  EXPECT_EQ(text_of(both), text_of(judge(data, protocol, 1)));
}

TEST(Judge, TellsOfEveryFit) {
  const Dataset data = synthetic_data(40, 7);
  std::atomic<int> fits = 0;
  judge(data, spied(SplitKind::random, {10, 20}, 3), 2, [&] { ++fits; });
  EXPECT_EQ(fits, 2 * 2 * 3);
}

TEST(Judge, StopsWhenTold) {
  const Dataset data = synthetic_data(40, 8);
  int fits = 0;
  const auto stop = [&] {
    if (++fits == 2) throw std::runtime_error("enough");
  };
  EXPECT_THROW(judge(data, spied(SplitKind::random, {10, 20}, 10), 1, stop), std::runtime_error);
  EXPECT_EQ(fits, 2);
}

TEST(Judge, RefusesSplitsThatDoNotExist) {
  const Dataset data = synthetic_data(40, 9);
  EXPECT_THROW(judge(data, spied(SplitKind::cluster, {10}, 1), 1), support::InputError);
}

}  // namespace
}  // namespace cubicbench::predictor
