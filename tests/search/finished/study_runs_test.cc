#include "search/finished/study_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using datasets::Measurement;
using datasets::MeasurementStatus;
using scenarios::Metric;
using scenarios::Scenario;
using testing::HasSubstr;

Scenario tiny(const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario("tiny-llama", sets);
}

/// A study with one launch of the scenario's settings that came to `value`.
StudyResult study_of(const Scenario& scenario, Metric metric, double value) {
  StudyResult study;
  study.scenario = scenario.name;
  study.scenario_sha256 = scenario.sha256;
  study.truth_sha256 = "7777";
  study.objective.metric = metric;
  StudyLaunch launch;
  launch.config = study.configs.keep({});
  launch.state = scenarios::TrialState::complete;
  launch.value = value;
  launch.truth = scenarios::TrueValue{.reason = scenarios::Reason::none, .value = 2.0 * value};
  study.launches.push_back(launch);
  return study;
}

Measurement row_of(const Scenario& scenario, const StudyResult& study) {
  const StudySet set{.folders = {}, .studies = {study}, .notes = {}};
  return runs_of(set, std::vector{scenario}).rows.at(0);
}

// Rows have tokens a second and GPU: 8 GPUs, sequences of 2,048 tokens.
TEST(RunsOf, HaveEveryRateAsTokensASecondAndGpu) {
  const Scenario scenario = tiny();
  const auto sequence =
      static_cast<double>(*row_of(scenario, study_of(scenario, Metric::tokens_per_s, 1.0)).seq_len);
  const auto gpus = static_cast<double>(scenario.cluster.gpus);
  const auto rate = [&](Metric metric) {
    const Measurement row = row_of(scenario, study_of(scenario, metric, 7200.0));
    EXPECT_EQ(row.status, MeasurementStatus::ok);
    EXPECT_DOUBLE_EQ(*row.noise_free_tokens_per_s_per_gpu, 2.0 * *row.tokens_per_s_per_gpu);
    return *row.tokens_per_s_per_gpu;
  };
  EXPECT_DOUBLE_EQ(rate(Metric::tokens_per_s), 7200.0 / gpus);
  EXPECT_DOUBLE_EQ(rate(Metric::samples_per_s), 7200.0 * sequence / gpus);
  EXPECT_DOUBLE_EQ(rate(Metric::tokens_per_gpu_hour), 2.0);
  EXPECT_DOUBLE_EQ(rate(Metric::tokens_per_s_per_gpu), 7200.0);
}

TEST(RunsOf, HaveAStepTimeWhereItIsTheObjective) {
  const Scenario scenario = tiny();
  const Measurement row = row_of(scenario, study_of(scenario, Metric::step_time_s, 0.5));
  EXPECT_DOUBLE_EQ(*row.step_time_s, 0.5);
  EXPECT_FALSE(row.tokens_per_s_per_gpu);
  // The truth is twice as long: a step's tokens in a second.
  const double tokens = static_cast<double>(*row.global_batch * *row.seq_len);
  EXPECT_DOUBLE_EQ(*row.noise_free_tokens_per_s_per_gpu, tokens / static_cast<double>(*row.n_gpus));
}

TEST(RunsOf, NameTheFabricBetweenNodesWhereThereAreTwo) {
  const Scenario one = tiny();
  ASSERT_EQ(one.cluster.gpus, one.cluster.gpus_per_node);
  EXPECT_EQ(row_of(one, study_of(one, Metric::tokens_per_s, 1.0)).fabric, "nvlink");
  const Scenario two = tiny({"cluster.gpus=16"});
  EXPECT_NE(row_of(two, study_of(two, Metric::tokens_per_s, 1.0)).fabric, "nvlink");
}

TEST(RunsOf, HaveThePlanOfTheirLaunch) {
  const Scenario scenario = tiny({"cluster.gpus=16"});
  StudyResult study = study_of(scenario, Metric::tokens_per_s, 1.0);
  study.launches[0].config = study.configs.keep({{"tensor_parallel", "2"},
                                                 {"pipeline_parallel", "2"},
                                                 {"micro_batch", "2"},
                                                 {"global_batch", "32"},
                                                 {"sharding", "no such mode"}});
  const Measurement row = row_of(scenario, study);
  EXPECT_EQ(row.tp, 2);
  EXPECT_EQ(row.pp, 2);
  EXPECT_EQ(row.dp, 4);
  EXPECT_EQ(row.grad_accum, 4);  // 32 sequences, 2 a micro-batch, 4 replicas
  // Ranks that do not divide have no replicas, a batch that does not divide no accumulation.
  study.launches[0].config = study.configs.keep({{"tensor_parallel", "3"}});
  EXPECT_FALSE(row_of(scenario, study).dp);
  study.launches[0].config = study.configs.keep({{"micro_batch", "3"}, {"global_batch", "32"}});
  EXPECT_TRUE(row_of(scenario, study).dp);
  EXPECT_FALSE(row_of(scenario, study).grad_accum);
}

TEST(RunsOf, SayWhatFailed) {
  const Scenario scenario = tiny();
  StudyResult study = study_of(scenario, Metric::tokens_per_s, 1.0);
  study.launches[0].state = scenarios::TrialState::fail;
  study.launches[0].reason = scenarios::Reason::oom_late;
  EXPECT_EQ(row_of(scenario, study).status, MeasurementStatus::oom);
  study.launches[0].reason = scenarios::Reason::oom_init;
  EXPECT_EQ(row_of(scenario, study).status, MeasurementStatus::oom);
  study.launches[0].reason = scenarios::Reason::infra;
  EXPECT_EQ(row_of(scenario, study).status, MeasurementStatus::other);
}

/// Why the runs of a study are no rows.
std::string refusal(const Scenario& scenario, const StudyResult& study) {
  try {
    row_of(scenario, study);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunsOf, AreRefusedWhereTheSchemaHasNoColumns) {
  const Scenario scenario = tiny();
  EXPECT_THAT(refusal(scenario, study_of(scenario, Metric::tokens_per_joule, 0.5)),
              HasSubstr("that is a rate or a time, got tokens_per_joule"));
  StudyResult study = study_of(scenario, Metric::mfu, 0.5);
  EXPECT_THAT(refusal(scenario, study),
              HasSubstr("expected an objective that is a rate or a time"));
  study.scenario_sha256 = "0123456789abcdef";
  EXPECT_THAT(refusal(scenario, study), HasSubstr("(scenario_sha256 0123456789ab...)"));
  study.backend = "table";
  EXPECT_THAT(refusal(scenario, study), HasSubstr("got one on a table of runs"));
  const Scenario ads = scenarios::read_scenario("dlrm-criteo");
  EXPECT_THAT(refusal(ads, study_of(ads, Metric::samples_per_s, 1.0)),
              HasSubstr("got a recommendation model"));
}

}  // namespace
}  // namespace cubicbench::search
