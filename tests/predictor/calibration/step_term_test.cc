#include "predictor/calibration/step_term.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <variant>

#include "sim/base/units.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::predictor {
namespace {

using namespace sim::literals;

/// Llama 3 8B on one node, which has neither pipeline nor traffic of tensors.
scenarios::Scenario one_node() {
  scenarios::Scenario scenario;
  scenario.workload = sim::llama_8b();
  scenario.cluster = sim::round_cluster(8);
  scenario.cluster.device.memory = 4096_GiB;
  scenario.stack = sim::round_stack();
  scenario.stack.host_layer_forward = {};
  scenario.baseline.global_batch = 32;
  return scenario;
}

scenarios::Scenario eight_nodes() {
  scenarios::Scenario scenario = one_node();
  scenario.cluster.gpus = 64;
  scenario.baseline = sim::round_plan();
  return scenario;
}

double step(const scenarios::Scenario& of, const char* without = nullptr) {
  sim::Workspace workspace;
  const StepTerm* const term = without == nullptr ? nullptr : find_step_term(without);
  EXPECT_EQ(term == nullptr, without == nullptr) << without;
  return step_without(term, of, of.cluster, of.stack, workspace).value;
}

TEST(StepTerm, NamesAreFoundOnce) {
  std::set<std::string_view> names;
  for (const StepTerm& term : step_terms()) {
    EXPECT_TRUE(names.insert(term.name).second) << term.name;
    EXPECT_EQ(find_step_term(term.name), &term);
    EXPECT_FALSE(term.without.empty());
  }
  EXPECT_EQ(find_step_term("weather"), nullptr);
}

TEST(StepTerm, WhatARunLacksChangesNothing) {
  const scenarios::Scenario run = one_node();
  for (const char* const name :
       {"recomputation", "alignment", "host floor", "waits of a group", "network state",
        "tensor-parallel traffic", "context-parallel traffic", "traffic between stages",
        "cost of overlap", "pipeline bubble", "memory nearly full", "balance of stages"}) {
    EXPECT_EQ(step(run, name), step(run)) << name;
  }
}

TEST(StepTerm, StragglersAreWhatAJobWaitsForBeyondANode) {
  scenarios::Scenario run = eight_nodes();
  const double even = step(run);
  run.cluster.jitter = 0.01;
  double harmonic = 0.0;  // H_64 - H_8
  for (int gpu = 9; gpu <= 64; ++gpu) harmonic += 1.0 / gpu;
  EXPECT_NEAR(step(run) / even, 1.0 + 0.01 * harmonic, 1e-9);
  EXPECT_EQ(step(run, "stragglers"), even);
}

TEST(StepTerm, CastsAreWhatQuantisedProductsReadAndElementWiseTrafficIsTheRest) {
  scenarios::Scenario run = one_node();
  EXPECT_EQ(step(run, "casts of quantised products"), step(run));
  run.baseline.dtype = sim::Dtype::fp8;
  // 4 micro-batches of 32 layers and 8,192 tokens, 6 bytes at 0.8 of 3 TB/s: forward two inputs of
  // 4,096, the heads' 4,096 and 14,336; backward gradients of (32 + 16) x 128, 28,672 and 4,096
  // twice.
  const double elements = 3.0 * 4096.0 + 14336.0 + 6144.0 + 28672.0 + 2.0 * 4096.0;
  const double expected = 4 * 32 * 8192.0 * 6.0 * elements / 2.4e12;
  EXPECT_NEAR(step(run) - step(run, "casts of quantised products"), expected, 1e-6);
  const double both = step(run) - step(run, "element-wise traffic");
  run.baseline.dtype = sim::Dtype::bf16;
  EXPECT_NEAR(step(run) - step(run, "element-wise traffic"), both, 1e-6);
}

TEST(StepTerm, PaddingIsTheColumnsThatNoWordHas) {
  scenarios::Scenario run = one_node();
  auto& model = std::get<sim::Transformer>(run.workload);
  run.baseline.tensor_parallel = 2;
  constexpr std::int64_t columns = 128;
  model.vocabulary = 2 * columns * 501;
  EXPECT_EQ(step(run, "padding of the vocabulary"), step(run));
  model.vocabulary = 2 * (columns * 500 + 64);  // 64 of 128 x 501 columns a rank are padding
  const double head = step(run) - step(run, "head and loss");
  EXPECT_NEAR(step(run) - step(run, "padding of the vocabulary"), head * 0.5 / 501.0, 1e-9);
}

TEST(StepTerm, RunsThatDoNotFitHaveATime) {
  scenarios::Scenario run = one_node();
  const double roomy = step(run);
  run.cluster.device.memory = 1_GiB;
  EXPECT_EQ(step(run), roomy);
}

TEST(StepTerm, AttentionIsWhatItsKernelsTake) {
  // 4 micro-batches of 32 layers; a pass forward and 2.5 backward, half of 4 q k a d at half the
  // peak with k / (k + 600), and a start of 5 us each.
  const double forward = 0.5 * 4.0 * 8192.0 * 8192.0 * 4096.0 / (1e15 * 0.5 * 8192.0 / 8792.0);
  const scenarios::Scenario run = one_node();
  EXPECT_NEAR(step(run) - step(run, "attention"), 4 * 32 * 3.5 * (forward + 5e-6), 1e-6);
}

TEST(StepTerm, TheOptimizerStreamsEveryWeight) {
  // 8.03 billion weights, 38 bytes each, at 0.8 of 3 TB/s.
  const scenarios::Scenario run = one_node();
  EXPECT_NEAR(step(run) - step(run, "optimizer"), 8.03e9 * 38.0 / 2.4e12, 1e-4);
}

TEST(StepTerm, AHostThatIsSlowerThanTheDeviceIsTheStep) {
  scenarios::Scenario run = one_node();
  run.stack.host_layer_forward = 1_s;
  run.stack.host_smoothness = 64.0;
  // 4 micro-batches of 32 layers, a second forward and two backward.
  EXPECT_NEAR(step(run), 4 * 32 * 3.0, 4.0);
  run.stack.host_layer_forward = {};
  const double device = step(run);
  run.stack.host_layer_forward = 1_s;
  EXPECT_EQ(step(run, "host floor"), device);
}

TEST(StepTerm, ABubbleIsWhatManyMicroBatchesDoNotPay) {
  scenarios::Scenario run = eight_nodes();
  run.baseline.sharding = sim::Sharding::no_shard;  // gradients travel once a step
  const double short_bubble = step(run) - step(run, "pipeline bubble");
  const double paced = step(run, "pipeline bubble");
  run.baseline.global_batch *= 2;
  EXPECT_GT(short_bubble, 0.0);
  EXPECT_NEAR(step(run) - step(run, "pipeline bubble"), short_bubble, 1e-9);
  EXPECT_LT(step(run, "pipeline bubble"), 2.0 * paced);
}

TEST(StepTerm, SizesThatDivideBadlyWasteAThirdOrMore) {
  scenarios::Scenario run = one_node();
  auto& model = std::get<sim::Transformer>(run.workload);
  const double even = step(run);
  model.ffn_hidden += 1;  // no multiple of 8: three times as long
  EXPECT_GT(step(run), 1.1 * even);
  EXPECT_NEAR(step(run, "alignment"), even, 2e-3 * even);
}

TEST(StepTerm, DataParallelismWithoutTrafficIsOneGpuLessOptimizerSharing) {
  scenarios::Scenario many = one_node();
  scenarios::Scenario one = one_node();
  one.cluster.gpus = 1;
  one.baseline.global_batch = 4;
  EXPECT_GT(step(many), step(one));
  EXPECT_NEAR(step(many, "weights and gradients"), step(one), 1e-12);
}

}  // namespace
}  // namespace cubicbench::predictor
