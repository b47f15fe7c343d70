#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "sim/engine/analytical.h"
#include "sim/plan/schedule.h"
#include "sim/plan/validity.h"
#include "sim/program/element_work.h"
#include "sim/program/kept_activations.h"
#include "sim/program/layer_shape.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/engine/event/played_job.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/hybrid_models.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr LayerKind scan{.mixer = Mixer::scan, .ffn = FeedForward::none};
constexpr LayerKind attention{.ffn = FeedForward::none};
constexpr LayerKind ffn{.mixer = Mixer::none};

struct HybridJob {
  Transformer model;
  Plan plan;
  Cluster cluster = round_cluster(64);
  Stack stack = round_stack();
};

/// Device memory without limit, so that every plan has a time.
HybridJob job_of(const Transformer& model, const Plan& plan) {
  HybridJob job{.model = model, .plan = plan};
  job.cluster.device.memory = Bytes{1e18};
  return job;
}

StepReport evaluated(const HybridJob& job) {
  Workspace workspace;
  return evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
}

/// As in training: 16 sequences of a replica, all heads and groups on one rank.
Plan plain_plan() {
  Plan plan{};
  plan.global_batch = 1024;
  return plan;
}

// A hybrid of one kind, attention and an FFN, is the transformer itself, whatever the plan.
TEST(Hybrid, OfAttentionAloneIsTheTransformerToTheBit) {
  Transformer listed = llama_8b();
  listed.pattern = {LayerKind{}};
  for (const Plan& plan : assorted_plans(100)) {
    const StepReport plain = evaluated(job_of(llama_8b(), plan));
    const StepReport hybrid = evaluated(job_of(listed, plan));
    ASSERT_EQ(plain.status, StepStatus::ok);
    EXPECT_EQ(plain.step, hybrid.step);
    EXPECT_EQ(plain.parts, hybrid.parts);
    EXPECT_EQ(plain.memory.allocated, hybrid.memory.allocated);
    EXPECT_EQ(plain.memory.demand, hybrid.memory.demand);
  }
}

// A layer's two parts, one after the other, compute, keep, stream and launch what the layer does.
TEST(Hybrid, PartsAddUpToTheLayer) {
  const Transformer model = llama_8b();
  Plan plan{};
  plan.tensor_parallel = 4;
  plan.sequence_parallel = true;
  plan.dtype = Dtype::fp8;
  Stack counted = round_stack();
  counted.launch = 50_us;
  Stack quantised = round_stack();
  quantised.keeps_quantised = true;
  for (const Stack& stack : {round_stack(), counted, quantised}) {
    const LayerShape whole = layer_shape(model, plan, stack, {});
    const LayerShape mixer = layer_shape(model, plan, stack, attention);
    const LayerShape rest = layer_shape(model, plan, stack, ffn);
    EXPECT_EQ(whole.product_count, mixer.product_count + rest.product_count);
    EXPECT_DOUBLE_EQ(whole.element_whole, mixer.element_whole + rest.element_whole);
    EXPECT_DOUBLE_EQ(whole.element_split, mixer.element_split + rest.element_split);
    EXPECT_DOUBLE_EQ(whole.inputs, mixer.inputs + rest.inputs);
    EXPECT_DOUBLE_EQ(whole.output_gradients, mixer.output_gradients + rest.output_gradients);
    EXPECT_EQ(whole.forward.gathers, mixer.forward.gathers + rest.forward.gathers);
    EXPECT_EQ(whole.backward.scatters, mixer.backward.scatters + rest.backward.scatters);
    EXPECT_EQ(rest.attention.queries, 0.0);
    const auto kept = [&](LayerKind kind) {
      return kept_by_layer(model, kind, plan, Recompute::none, stack, 1.0);
    };
    EXPECT_NEAR(kept({}), kept(attention) + kept(ffn), 1e-9 * kept({}));
    const auto launches = [&](LayerKind kind) {
      return forward_launches(model, plan, stack, kind);
    };
    EXPECT_EQ(launches({}), launches(attention) + launches(ffn));
    EXPECT_DOUBLE_EQ(
        rank_layer_parameters(model, plan, {}),
        rank_layer_parameters(model, plan, attention) + rank_layer_parameters(model, plan, ffn));
  }
}

// Two ranks: 64 heads of 64, 4 groups of 128. The first product 8,192 tokens x (2 x 4,096 + 2 x 512
// + 64) x 4,096, the second 8,192 x 4,096 x 4,096; of the scan, which both share, in chunks of 128,
// squares of 512 and 4,096 columns, and 4,096 x 128 from and to the states.
TEST(Hybrid, RanksShareTheHeadsOfAScan) {
  Plan plan{};
  plan.tensor_parallel = 2;
  plan.sequence_parallel = true;
  const LayerShape shape = layer_shape(nemotron_h_8b(), plan, round_stack(), scan);
  ASSERT_EQ(shape.product_count, 2U);
  EXPECT_EQ(shape.list[0].shape.n, 9280.0);
  EXPECT_EQ(shape.list[0].shape.k, 4096.0);
  EXPECT_EQ(shape.list[1].shape.n, 4096.0);
  EXPECT_EQ(shape.list[1].shape.k, 4096.0);
  EXPECT_EQ(shape.attention.queries, 0.0);
  EXPECT_EQ(shape.scan.tokens, 8192.0);
  EXPECT_EQ(shape.scan.chunk, 128.0);
  EXPECT_EQ(shape.scan.flops, 2.0 * 128.0 * (512.0 + 4096.0) + 4.0 * 4096.0 * 128.0);
  EXPECT_EQ(shape.scan_backward.flops, 6.0 * 128.0 * (512.0 + 4096.0) + 10.0 * 4096.0 * 128.0);
  // Column-parallel, then row-parallel, as attention.
  EXPECT_EQ(shape.forward.gathers, 1.0);
  EXPECT_EQ(shape.forward.scatters, 1.0);
  EXPECT_EQ(shape.backward.gathers, 2.0);
  EXPECT_EQ(shape.exchanged, 0.0);
}

// Elements of 16 bits a token: 8 of each of 8,192 channels and 6 x 128 / 128 of their states, 8 of
// each of 1,024 shared ones, 4 x 8 x 128 of products in a chunk, 7 of 128 heads; norm and sum 4 h.
TEST(Hybrid, AScanStreamsByHand) {
  const LayerShape shape = layer_shape(nemotron_h_8b(), Plan{}, round_stack(), scan);
  EXPECT_EQ(shape.element_whole, 4.0 * 4096.0);
  EXPECT_EQ(shape.element_split, 0.0);
  EXPECT_EQ(shape.fixed_forward, 14.0 * 8192.0 + 8.0 * 1024.0 + 4.0 * 8.0 * 128.0 + 7.0 * 128.0);
  EXPECT_EQ(shape.fixed_backward,
            37.5 * 8192.0 + 27.0 * 1024.0 + 12.0 * 8.0 * 128.0 + 20.0 * 128.0);
}

// Norm, residual sum, two products and seven kernels between them.
TEST(Hybrid, AScanLaunchesElevenKernels) {
  Stack stack = round_stack();
  stack.launch = 50_us;
  EXPECT_EQ(forward_launches(nemotron_h_8b(), Plan{}, stack, scan), 11.0);
  EXPECT_EQ(forward_launches(nemotron_h_8b(), Plan{.dtype = Dtype::mxfp8}, stack, scan), 17.0);
}

// Of 16 bits: the projected 2 x 8,192 + 2 x 1,024 + 128, what the scan returns and its norm, and
// four bytes a group; with half of the norms' 8 h.
TEST(Hybrid, AScanKeepsByHand) {
  const Transformer model = nemotron_h_8b();
  const double inner = 2.0 * (18560.0 + 2.0 * 8192.0) + 4.0 * 8.0;
  const auto kept = [&](const Plan& plan, Recompute recompute, const Stack& stack) {
    return kept_by_layer(model, scan, plan, recompute, stack, 1.0);
  };
  EXPECT_DOUBLE_EQ(kept(Plan{}, Recompute::none, round_stack()), inner + 4.0 * 4096.0);
  EXPECT_EQ(kept(Plan{}, Recompute::selective, round_stack()),
            kept(Plan{}, Recompute::none, round_stack()));
  EXPECT_DOUBLE_EQ(kept(Plan{}, Recompute::per_op, round_stack()),
                   0.5 * kept(Plan{}, Recompute::none, round_stack()));
  EXPECT_EQ(kept(Plan{}, Recompute::full, round_stack()), 2.0 * 4096.0);
  Plan shared{};
  shared.tensor_parallel = 8;
  shared.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(kept(shared, Recompute::none, round_stack()), (inner + 4.0 * 4096.0) / 8.0);
  // The inputs of both products in 8 bits.
  Stack quantised = round_stack();
  quantised.keeps_quantised = true;
  EXPECT_DOUBLE_EQ(kept(Plan{.dtype = Dtype::fp8}, Recompute::none, quantised),
                   inner + 4.0 * 4096.0 - (4096.0 + 8192.0));
}

/// Of as many tokens a step, on one replica a rank and without launches.
double step_of(Transformer model, std::int64_t sequence, std::int64_t batch) {
  model.sequence = sequence;
  Plan plan{};
  plan.global_batch = batch;
  plan.sharding = Sharding::no_shard;
  plan.accumulate_without_sync = true;
  HybridJob job = job_of(model, plan);
  job.cluster.device.kernel_overhead = 0_s;
  job.stack.host_layer_forward = 0_s;
  return evaluated(job).step.value;
}

// Scans cost each token the same, attention the more the longer the sequence is.
TEST(Hybrid, TimeOfScansGrowsLinearlyWithTheSequence) {
  Transformer scans = nemotron_h_8b();
  scans.pattern = layers_of("M-");
  const double near = step_of(scans, 8192, 512) / step_of(scans, 32768, 128);
  EXPECT_NEAR(near, 1.0, 0.01);
  EXPECT_LT(step_of(nemotron_h_8b(), 8192, 512) / step_of(nemotron_h_8b(), 32768, 128), 0.99);
}

// 24 scans of 8,192 tokens, forward and backward, at half the rate of 4 layers of attention, which
// take 2.5 times as long backward.
TEST(Hybrid, StepsMixByHand) {
  HybridJob job = job_of(nemotron_h_8b(), plain_plan());
  job.plan.global_batch = 64;
  job.cluster.device.kernel_overhead = 0_s;
  const auto forward = [](double flops, double keys) {
    return 8192.0 * flops / (1000e12 * 0.5 * keys / (keys + 600.0));
  };
  const double scans = 8.0 * 128.0 * (1024.0 + 8192.0) + 14.0 * 8192.0 * 128.0;
  const double expected =
      24.0 * 2.0 * forward(scans, 128.0) + 4.0 * 3.5 * forward(2.0 * 8192.0 * 4096.0, 8192.0);
  const StepReport report = evaluated(job);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_NEAR(report.parts[static_cast<std::size_t>(StepPart::attention)].value, expected,
              1e-9 * expected);
}

// Nothing of a scan is computed again by policies that know attention only.
TEST(Hybrid, SelectiveRecomputationLeavesScansAlone) {
  Transformer scans = nemotron_h_8b();
  scans.pattern = layers_of("M");
  HybridJob job = job_of(scans, plain_plan());
  const StepReport none = evaluated(job);
  job.plan.recompute = Recompute::selective;
  EXPECT_EQ(evaluated(job).parts[static_cast<std::size_t>(StepPart::attention)],
            none.parts[static_cast<std::size_t>(StepPart::attention)]);
  EXPECT_EQ(evaluated(job).parts[static_cast<std::size_t>(StepPart::recompute)].value, 0.0);
}

TEST(Hybrid, ShapesAndPlansThatCannotBeAreRefused) {
  Plan plan = plain_plan();
  plan.tensor_parallel = 16;
  Violation violation = check(plan, nemotron_h_8b(), round_cluster(64));
  EXPECT_EQ(violation.rule, Rule::scan_groups_divide);
  EXPECT_EQ(violation.needs, 8);
  plan.tensor_parallel = 1;
  plan.context_parallel = 2;
  violation = check(plan, nemotron_h_8b(), round_cluster(64));
  EXPECT_EQ(violation.rule, Rule::not_modelled);
  EXPECT_STREQ(violation.setting, "context_parallel");
  // Heads of attention that no layer has divide nothing.
  Transformer scans = nemotron_h_8b();
  scans.pattern = layers_of("M");
  scans.attention_heads = scans.kv_heads = scans.ffn_hidden = 1;
  plan.context_parallel = 1;
  plan.tensor_parallel = 8;
  EXPECT_FALSE(check(plan, scans, round_cluster(64)));
}

// Both engines, over stages, tensor ranks, policies and ways to share weights. Modes that reduce
// across groups are left out: their closed forms lie as far off with one kind of layers.
TEST(Hybrid, EnginesAgreeOnTimeWithinAHundredthAndOnMemoryToTheByte) {
  Workspace workspace;
  std::uint64_t compared = 0;
  std::uint64_t agree = 0;
  for (const Plan& drawn : assorted_plans(60)) {
    for (const Transformer& model : {nemotron_h_8b(), nemotron_3_nano(), nemotron_3_super()}) {
      HybridJob job = job_of(model, drawn);
      job.plan.context_parallel = 1;
      if (splits_backward(job.plan.schedule)) job.plan.schedule = Schedule::one_f_one_b;
      if (shards_in_groups(job.plan.sharding)) job.plan.sharding = Sharding::full_shard;
      if (has_experts(model)) job.plan.expert_parallel = 8;
      if (check(job.plan, job.model, job.cluster)) continue;
      const StepReport closed = evaluated(job);
      ASSERT_EQ(closed.status, StepStatus::ok);
      const EventReport events = played(job, true, false, workspace);
      ++compared;
      const double difference = std::abs(events.step.step / closed.step - 1.0);
      EXPECT_LE(difference, 0.08);
      if (difference <= 0.01) ++agree;
      EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
    }
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GE(static_cast<double>(agree), 0.88 * static_cast<double>(compared));
}

TEST(Hybrid, EnginesAgreeWithinAHundredthWhereStagesAreEqual) {
  Workspace workspace;
  for (const Sharding sharding : {Sharding::no_shard, Sharding::zero1, Sharding::full_shard}) {
    for (const std::int64_t stages : {1, 2, 4}) {
      Transformer model = nemotron_3_nano();
      model.pattern = layers_of("ME*");
      model.layers = 48;
      HybridJob job = job_of(model, plain_plan());
      job.plan.sharding = sharding;
      job.plan.tensor_parallel = 2;
      job.plan.sequence_parallel = true;
      job.plan.pipeline_parallel = stages;
      job.plan.expert_parallel = 8;
      const StepReport closed = evaluated(job);
      ASSERT_EQ(closed.status, StepStatus::ok);
      const EventReport events = played(job, true, false, workspace);
      EXPECT_NEAR(events.step.step / closed.step, 1.0, 0.01)
          << static_cast<int>(sharding) << " " << stages;
      EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
