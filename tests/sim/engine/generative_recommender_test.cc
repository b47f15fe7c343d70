// Steps of generative recommenders, and of software whose tables are updated whole.
#include <gtest/gtest.h>

#include "sim/base/slowest.h"
#include "sim/engine/analytical.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

RecommendationJob hstu() {
  RecommendationJob job;
  job.stack.host_layer_forward = {};
  return job;
}

StepReport run(const RecommendationJob& job) {
  Workspace workspace;
  StepReport report = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report;
}

double part(const RecommendationJob& job, StepPart which) {
  return run(job).parts[static_cast<std::size_t>(which)].value;
}

double part(const RecommendationJob& job, MemoryPart which) {
  return run(job).memory.parts[static_cast<std::size_t>(which)].value;
}

/// A layer's attention, 1,000 tokens of 32 samples and 4 heads of 128: 16.384 GFLOP forward,
/// causal, at 500 TFLOP/s x 1,000 / 1,600, and 2.5 times that backward, 5 us of launch each time.
TEST(GenerativeRecommender, AttentionTakesWhatItsKernelTakes) {
  RecommendationJob job = hstu();
  const double forward = 32.0 * 4.0 * 2.0 * 1e6 * 128.0 / (500e12 / 1.6) + 5e-6;
  EXPECT_NEAR(part(job, StepPart::attention) / (4.0 * 3.5 * forward), 1.0, 1e-9);
  job.stack.gated_attention_factor = 0.25;
  const double slower = 4.0 * (forward - 5e-6) + 5e-6;
  EXPECT_NEAR(part(job, StepPart::attention) / (4.0 * 3.5 * slower), 1.0, 1e-9);
}

TEST(GenerativeRecommender, OtherSequenceArchsHaveOtherKernels) {
  RecommendationJob job = hstu();
  job.model.sequence->kind = SequenceLayer::transformer;
  job.model.sequence->ffn_hidden = 1024;
  const double before = part(job, StepPart::attention);
  job.stack.gated_attention_factor = 0.25;
  EXPECT_EQ(part(job, StepPart::attention), before);
}

TEST(GenerativeRecommender, LongerHistoriesOfOneMeanTakeLonger) {
  RecommendationJob job = hstu();
  job.plan.length_balancing = true;
  double before = run(job).step.value;
  for (const std::int64_t longest : {1500, 2000, 4000}) {
    job.model.sequence->lengths.max = longest;
    const double step = run(job).step.value;
    EXPECT_GT(step, before);
    before = step;
  }
}

/// Uniform lengths: one sample's attention deviates by 0.894 of its mean, that of 32 by a 5.66th of
/// it, the most of 16 ranks by 1.766 times that. Kernels that take no time to launch.
TEST(GenerativeRecommender, AllWaitForTheRankWithTheLongestHistories) {
  RecommendationJob job = hstu();
  job.cluster.device.kernel_overhead = {};
  job.model.sequence->lengths.max = 2000;
  const double alone = part(job, StepPart::attention);
  job.plan.length_balancing = true;
  const double balanced = part(job, StepPart::attention);
  EXPECT_NEAR(alone / balanced, 1.0 + latest_of(16) * 0.894427 / 5.656854, 1e-5);
}

TEST(GenerativeRecommender, BalancingPaysWhereLengthsDifferAndCostsTheExchangeOfSamples) {
  RecommendationJob job = hstu();
  const auto gain = [&] {
    job.plan.length_balancing = false;
    const double before = run(job).step.value;
    job.plan.length_balancing = true;
    return before - run(job).step.value;
  };
  EXPECT_LT(gain(), 0.0);
  job.model.sequence->lengths.max = 2000;
  const double independent = gain();
  EXPECT_GT(independent, 0.0);
  job.model.sequence->lengths.skew = 1.2;
  EXPECT_GT(gain(), independent);
}

TEST(GenerativeRecommender, NormsThatAreComputedAgainSaveTheirOutputs) {
  RecommendationJob job = hstu();
  const double whole = part(job, MemoryPart::activations);
  const double step = run(job).step.value;
  job.plan.recompute = Recompute::layernorm;
  // 32 samples of 1,000 tokens of width 512 in 16 bits, of four layers less one at a time.
  EXPECT_NEAR(whole - part(job, MemoryPart::activations), 3.0 * 32.0 * 1000.0 * 512.0 * 2.0, 1.0);
  // Read and written again, at 2,400 GB/s.
  EXPECT_NEAR(run(job).step.value - step, 4.0 * 2.0 * 32.0 * 1000.0 * 512.0 * 2.0 / 2.4e12, 1e-9);
}

RecommendationJob wide() {
  RecommendationJob job{.model = small_ads(), .plan = {}};
  job.model.tables = {{.tables = 1, .rows = 16'000'000, .dim = 128, .pooling = 1.0}};
  job.plan.batch_per_gpu = 64;
  job.plan.embedding_plan = EmbeddingPlan::row_wise;
  job.plan.embedding_optimizer = Optimizer::adam;
  return job;
}

/// A rank's million rows of 128 weights in fp32, streamed 9.22 times at 2,400 GB/s [Eq. R-13].
TEST(WholeTables, AreUpdatedInEveryStep) {
  RecommendationJob job = wide();
  const double before = part(job, StepPart::embedding_lookup);
  job.stack.updates_all_rows = true;
  EXPECT_NEAR(part(job, StepPart::embedding_lookup) - before, 9.22 * 1e6 * 512.0 / 2.4e12, 1e-9);
}

TEST(WholeTables, AreLeftAloneWithoutMomentum) {
  RecommendationJob job = wide();
  job.plan.embedding_optimizer = Optimizer::sgd;
  const double before = run(job).step.value;
  job.stack.updates_all_rows = true;
  EXPECT_EQ(run(job).step.value, before);
}

TEST(WholeTables, TakeMemoryBesideWeightsAndState) {
  RecommendationJob job = wide();
  const double before = part(job, MemoryPart::embedding_tables);
  job.stack.table_row_bytes = 21.0;
  EXPECT_NEAR(part(job, MemoryPart::embedding_tables) - before, 21e6, 1.0);
  job.stack.table_row_bytes = 0.0;
  job.stack.table_copy_bytes = 4.0;
  EXPECT_NEAR(part(job, MemoryPart::embedding_tables) - before, 4.0 * 128e6, 1.0);
}

/// Eight GPUs of a node have one set of processors: 64 samples of each, 1 ms a sample.
TEST(NodeInput, IsSharedByTheGpusOfANode) {
  RecommendationJob job = wide();
  const double before = run(job).step.value;
  job.stack.node_input_sample = 1_ms;
  EXPECT_NEAR(run(job).step.value - before, 8.0 * 64.0 * 1e-3, 1e-9);
  job.cluster.gpus = 32;  // of four nodes: the same
  const double nodes = run(job).step.value;
  job.stack.node_input_sample = {};
  EXPECT_NEAR(nodes - run(job).step.value, 8.0 * 64.0 * 1e-3, 1e-9);
}

}  // namespace
}  // namespace cubicbench::sim
