#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

struct Dlrm {
  const char* name;
  double ids;
  double dense;  ///< weights
  double gpus;
  double batch;  ///< of all GPUs
};
constexpr Dlrm all_dlrm[] = {{"dlrm-dcnv2", 214.0, 16.03e6, 8.0, 55'296.0},
                             {"dlrm-dcnv2-64gpu", 214.0, 16.03e6, 64.0, 135'168.0},
                             {"dlrm-dcnv2-128gpu", 214.0, 16.03e6, 128.0, 135'168.0},
                             {"dlrm-criteo", 26.0, 2.37e6, 8.0, 16'384.0}};

TEST(Dlrm, HasThePublishedSizes) {
  for (const Dlrm& dlrm : all_dlrm) {
    SCOPED_TRACE(dlrm.name);
    const Scenario scenario = read_scenario(dlrm.name);
    const auto& model = std::get<sim::Recommendation>(scenario.workload);
    EXPECT_EQ(sim::table_count(model), 26);
    EXPECT_EQ(sim::pooled_width(model), 26 * 128);
    EXPECT_NEAR(sim::table_parameters(model) / 26.14e9, 1.0, 1e-3);
    EXPECT_EQ(sim::ids_per_sample(model), dlrm.ids);
    EXPECT_NEAR(sim::dense_parameters(model) / dlrm.dense, 1.0, 0.005);
  }
}

TEST(Dlrm, BaselinesRunTheSubmittedBatch) {
  for (const Dlrm& dlrm : all_dlrm) {
    SCOPED_TRACE(dlrm.name);
    const Scenario scenario = read_scenario(dlrm.name);
    EXPECT_EQ(scenario.cluster.gpus, dlrm.gpus);
    EXPECT_EQ(samples_per_step(scenario, scenario.baseline), dlrm.batch);
    EXPECT_GE(scenario.space.size(), 10U);
    sim::Workspace workspace;
    EXPECT_EQ(evaluate(scenario, scenario.baseline, workspace).status, sim::StepStatus::ok);
  }
}

TEST(Dlrm, RunsOnAnyNodes) {
  for (const char* gpus : {"8", "16", "32", "64", "128"}) {
    SCOPED_TRACE(gpus);
    const Scenario scenario =
        read_scenario("dlrm-dcnv2", std::vector{std::string("cluster.gpus=") + gpus});
    sim::Workspace workspace;
    EXPECT_EQ(evaluate(scenario, scenario.baseline, workspace).status, sim::StepStatus::ok);
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
