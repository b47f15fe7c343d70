#include "sim/engine/forward_pass.h"

#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

struct Job {
  Transformer model = llama_8b();
  Cluster cluster = round_cluster(8);
  Stack stack = round_stack();
  Plan plan{.tensor_parallel = 8, .sequence_parallel = true, .global_batch = 4};
  Workspace workspace;

  ForwardPass pass(ForwardHead head = ForwardHead::all_tokens) {
    return forward_pass(model, {cluster, stack, plan}, head, workspace.program);
  }
  Seconds forward(ForwardHead head = ForwardHead::all_tokens) { return pass(head).time; }
  StepReport step() { return evaluate(model, plan, cluster, stack, workspace); }
};

// Products take a third, attention 1 / 3.5, and nothing is reduced or updated.
TEST(ForwardPass, IsAboutAThirdOfAStep) {
  Job job;
  const StepReport step = job.step();
  ASSERT_EQ(step.status, StepStatus::ok);
  EXPECT_GT(job.forward(), 0.25 * step.step);
  EXPECT_LT(job.forward(), 0.38 * step.step);
}

TEST(ForwardPass, OfTwiceTheBatchTakesTwiceAsLong) {
  Job job;
  const Seconds once = job.forward();
  job.plan.global_batch = 8;
  EXPECT_NEAR(job.forward() / once, 2.0, 1e-12);
}

TEST(ForwardPass, DoesNotFeelWhatOnlyTrainingDoes) {
  Job job;
  const Seconds plain = job.forward();
  job.plan.recompute = Recompute::full;
  job.plan.optimizer = Optimizer::muon;
  job.plan.offload = Offload::both;
  job.plan.reduce_dtype = Dtype::bf16;
  job.model.prediction_layers = 1;
  EXPECT_EQ(job.forward(), plain);
}

TEST(ForwardPass, WithoutTheHeadIsShorter) {
  Job job;
  const Seconds whole = job.forward();
  const Seconds layers = job.forward(ForwardHead::none);
  EXPECT_LT(layers, whole);
  EXPECT_GT(layers, 0.8 * whole);
}

TEST(ForwardPass, KeepsARanksShareOfTheWeights) {
  Job job;
  const double all = 2.0 * total_parameters(job.model);
  EXPECT_NEAR(job.pass().weights.value, all / 8.0, 1e-3 * all);  // norms are whole on each rank
  job.plan = {.global_batch = 8, .sharding = Sharding::full_shard};
  EXPECT_NEAR(job.pass().weights.value, all / 8.0, 1e-9 * all);
}

// Four stages of eight layers on two ranks each: the first micro-batch passes three stages before
// the last one computes, whatever the schedule of training.
TEST(ForwardPass, FillsAPipelineOnce) {
  Job job;
  job.plan.tensor_parallel = 2;
  job.plan.pipeline_parallel = 4;
  const Seconds few = job.forward();
  job.plan.global_batch = 8;
  const Seconds more = job.forward();
  job.plan.global_batch = 12;
  EXPECT_NEAR((job.forward() - more) / (more - few), 1.0, 1e-9);
  EXPECT_GT(few, more - few);
  job.plan.schedule = Schedule::interleaved;
  job.plan.virtual_stages = 2;
  job.plan.global_batch = 4;
  EXPECT_EQ(job.forward(), few);
}

// Weights of FSDP are gathered for it; whole ones are there, with ZeRO-1 as well.
TEST(ForwardPass, GathersShardedWeightsAlone) {
  Job job;
  job.plan = {.global_batch = 8};
  const Seconds whole = job.forward();
  job.plan.sharding = Sharding::zero1;
  EXPECT_EQ(job.forward(), whole);
  job.plan.sharding = Sharding::full_shard;
  const Seconds gathering = job.forward();
  EXPECT_GT(gathering, whole);
  job.cluster.network.intra_bandwidth = 45_GBps;
  EXPECT_GT(job.forward(), gathering);
}

}  // namespace
}  // namespace cubicbench::sim
