#include "predictor/calibration/ablation.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::predictor {
namespace {

using namespace sim::literals;

/// Runs on one node whose host is slower than their device: a step is 3 x layers x micro-batches
/// launches of a layer, and was measured so for launches of 2 s.
std::vector<CalibrationRun> runs_that_wait_for_the_host() {
  std::vector<CalibrationRun> runs;
  for (const int layers : {16, 24, 32}) {
    for (const int batches : {1, 2, 4}) {
      CalibrationRun run;
      sim::Transformer model = sim::llama_8b();
      model.layers = layers;
      run.scenario.workload = model;
      run.scenario.cluster = sim::round_cluster(8);
      run.scenario.cluster.device.memory = 4096_GiB;
      run.scenario.stack = sim::round_stack();
      run.scenario.stack.host_layer_forward = 1_s;
      run.scenario.stack.host_smoothness = 64.0;
      run.scenario.baseline.global_batch = 8 * batches;
      run.step = (3.0 * layers * batches) * 2_s;
      run.model = std::to_string(layers) + " layers";
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

const AblatedTerm& without(const std::vector<AblatedTerm>& ablated, std::string_view name) {
  for (const AblatedTerm& term : ablated) {
    if (term.term != nullptr && term.term->name == name) return term;
  }
  ADD_FAILURE() << name;
  return ablated.front();
}

TEST(Ablation, ConstantsMakeUpForWhatTheyCan) {
  const std::vector<CalibrationRun> runs = runs_that_wait_for_the_host();
  const std::vector<AblatedTerm> ablated = ablate(runs, {"host_layer_forward_ms"});
  ASSERT_EQ(ablated.size(), step_terms().size() + 1);
  EXPECT_EQ(ablated[0].term, nullptr);
  sim::Workspace workspace;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const scenarios::Scenario& scenario = runs[i].scenario;
    // A percent is left to head, optimizer and gradients.
    EXPECT_NEAR(ablated[0].steps[i] / runs[i].step, 1.0, 0.02);
    EXPECT_NEAR(without(ablated, "attention").steps[i] / runs[i].step, 1.0, 0.02);
    // Without the host no constant is left, and the device's time is the answer.
    EXPECT_EQ(without(ablated, "host floor").steps[i],
              step_without(find_step_term("host floor"), scenario, scenario.cluster, scenario.stack,
                           workspace));
    EXPECT_LT(without(ablated, "host floor").steps[i] / runs[i].step, 0.1);
  }
}

TEST(Ablation, ATermThatNoRunHasIsNotFittedAgain) {
  const std::vector<AblatedTerm> ablated =
      ablate(runs_that_wait_for_the_host(), {"host_layer_forward_ms"});
  EXPECT_TRUE(without(ablated, "host floor").in_runs);
  for (const char* const name : {"pipeline bubble", "network state", "context-parallel traffic"}) {
    EXPECT_FALSE(without(ablated, name).in_runs) << name;
    EXPECT_EQ(without(ablated, name).steps, ablated[0].steps) << name;
  }
}

TEST(Ablation, ThreadsChangeNoBit) {
  const std::vector<CalibrationRun> runs = runs_that_wait_for_the_host();
  const std::vector<std::string> names{"host_layer_forward_ms", "gemm_factor"};
  const std::vector<AblatedTerm> one = ablate(runs, names, 1);
  const std::vector<AblatedTerm> two = ablate(runs, names, 2);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].term, two[i].term);
    EXPECT_EQ(one[i].steps, two[i].steps);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
