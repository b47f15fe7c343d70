#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

/// Tokens a second of the baseline.
double rate(const char* name, const std::vector<std::string>& sets = {}) {
  const Scenario scenario = read_scenario(name, sets);
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  EXPECT_EQ(report.status, sim::StepStatus::ok) << name;
  const double samples = samples_per_step(scenario, scenario.baseline);
  return samples * static_cast<double>(model.sequence) / report.step.value;
}

TEST(MixtureScenarios, DeepSeekV3TakesThePublishedGpuHours) {
  const double gpu_hours = 1e12 / rate("deepseek-v3") * 2'048.0 / 3'600.0;
  EXPECT_NEAR(gpu_hours / 180e3, 1.0, 0.10);  // [DeepSeekV3, table 1]: 2.664 M for 14.8 T tokens
}

TEST(MixtureScenarios, QwenReachesMegatronBridgesRate) {
  EXPECT_NEAR(rate("qwen3-235b") / 256.0 / 1'700.0, 1.0, 0.10);  // 1,686 and 1,712 published
}

TEST(MixtureScenarios, MixtralReachesMegatronCoresRate) {
  // 438 TFLOP/s a GPU at 12.9 B weights that a token uses, the input's embedding left out.
  const Scenario scenario = read_scenario("mixtral-8x7b");
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  const double flops = rate("mixtral-8x7b") / 64.0 * sim::mfu_flops_per_token(model);
  EXPECT_NEAR(flops / 438e12, 1.0, 0.15);
}

TEST(MixtureScenarios, SeMoeGainsOnDeepSpeedWhatIsPublished) {
  for (const char* gpus : {"8", "16", "32", "64", "128"}) {
    SCOPED_TRACE(gpus);
    const std::string n = gpus;
    const std::vector<std::string> sets{"cluster.gpus=" + n, "workload.experts=" + n,
                                        "expert_parallel=" + n, "global_batch=" + n};
    const double ratio = rate("se-moe", sets) / rate("se-moe-deepspeed", sets);
    EXPECT_GE(ratio, 1.25);
    EXPECT_LE(ratio, 1.40);
  }
}

TEST(MixtureScenarios, ExpertsFromStorageCostLessWithPrefetch) {
  const double device = rate("se-moe");
  for (const char* storage : {"host", "ssd"}) {
    SCOPED_TRACE(storage);
    const std::string where = std::string("expert_storage=") + storage;
    const double ahead = rate("se-moe", {where, "expert_prefetch=true"});
    const double late = rate("se-moe", {where, "expert_prefetch=false"});
    EXPECT_LT(late, ahead);
    EXPECT_LE(ahead, device);
  }
}

TEST(MixtureScenarios, LongSequencesRunAsPublished) {
  const Scenario scenario = read_scenario("llama3-405b-long");
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  EXPECT_EQ(model.sequence, 131'072);
  const double mfu =
      rate("llama3-405b-long") / 16'384.0 * sim::mfu_flops_per_token(model) / 989.4e12;
  EXPECT_NEAR(mfu / 0.38, 1.0, 0.10);  // [Llama3, table 4]
}

}  // namespace
}  // namespace cubicbench::scenarios
