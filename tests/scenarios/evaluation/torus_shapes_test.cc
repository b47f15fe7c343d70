// What is published of training on TPU pods, as far as its shape: docs/scenarios.md says which of
// it was read in an abstract and which is recalled.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

using Sets = std::vector<std::string>;

struct Step {
  double tokens_per_s = 0.0;
  double mfu = 0.0;
};

Step step_of(const std::string& name, const Sets& sets = {}) {
  const Scenario scenario = read_scenario(name, sets);
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  EXPECT_EQ(report.status, sim::StepStatus::ok) << name;
  if (report.status != sim::StepStatus::ok) return {};
  return {.tokens_per_s = tokens_per_s(scenario, scenario.baseline, report.step).value_or(0.0),
          .mfu = mfu(scenario, scenario.baseline, report.step)};
}

/// [GSPMD]: 50 to 62 % on up to 2,048 cores, up to a trillion parameters. Abstract.
TEST(TorusShapes, DenseModelsUseHalfToThreeFifthsOfAPod) {
  for (const char* name : {"gspmd-64b", "gspmd-1t"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(read_scenario(name).cluster.gpus, 1024);  // of two cores each
    const double used = step_of(name).mfu;
    EXPECT_GE(used, 0.50);
    EXPECT_LE(used, 0.62);
  }
}

/// [Pathways]: comparable with SPMD. Abstract. Recalled: four sequences a micro-batch give M = 4 S
/// micro-batches, and throughput hardly falls from 4 to 16 stages.
TEST(TorusShapes, PipelinesOfSixteenStagesKeepUpWithSpmd) {
  const double spmd =
      step_of("pathways-3b", {"pipeline_parallel=1", "sharding=full_shard", "micro_batch=1"})
          .tokens_per_s;
  const double four = step_of("pathways-3b", {"pipeline_parallel=4"}).tokens_per_s;
  const double eight = step_of("pathways-3b", {"pipeline_parallel=8"}).tokens_per_s;
  const double sixteen = step_of("pathways-3b").tokens_per_s;
  EXPECT_NEAR(sixteen / spmd, 1.0, 0.15);
  EXPECT_NEAR(eight / four, 1.0, 0.08);
  EXPECT_NEAR(sixteen / four, 1.0, 0.15);
  EXPECT_LT(sixteen, four);  // the bubble grows from 0.158 to 0.190
}

/// [Pathways]: comparable throughput over two islands. Abstract; 97 % recalled.
TEST(TorusShapes, TwoIslandsLoseFewPercent) {
  const Sets one{"cluster.network=tpu-v3-pod", "cluster.gpus_per_node=1024"};
  const double ratio =
      step_of("pathways-64b").tokens_per_s / step_of("pathways-64b", one).tokens_per_s;
  EXPECT_LT(ratio, 1.0);
  EXPECT_GT(ratio, 0.95);
}

TEST(TorusShapes, TheGpusOfANodeAreThoseOfTheTorus) {
  const Sets sets{"cluster.gpus_per_node=8"};
  try {
    read_scenario("gspmd-64b", sets);
    FAIL() << "accepted";
  } catch (const support::InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("expected 1024, the GPUs of the torus of /cluster/network, got 8"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
