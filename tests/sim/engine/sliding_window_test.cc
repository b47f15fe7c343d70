#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/analytical.h"
#include "sim/program/kept_activations.h"
#include "sim/program/layer_shape.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr LayerKind windowed{.mixer = Mixer::window};

/// Llama 3 8B, 8,192 tokens, whose layers have windows of 1,024 but for every fourth.
Transformer windowed_llama() {
  Transformer model = llama_8b();
  model.window = {.tokens = 1024, .full_period = 4};
  return model;
}

/// gpt-oss 120B as published: a window of 128 tokens in every second layer, experts in all.
Transformer windowed_gpt_oss() {
  Transformer model = gpt_oss_120b();
  model.window = {.tokens = 128, .full_period = 2};
  return model;
}

TEST(SlidingWindow, EveryNthLayerHasNone) {
  const LayerKinds kinds = layer_kinds(windowed_llama());
  ASSERT_EQ(kinds.count, 2U);
  EXPECT_EQ(kinds.list[0], LayerKind{});
  EXPECT_EQ(kinds.list[1], windowed);
  EXPECT_EQ(kinds_among(windowed_llama(), 32), (PerKind<std::int64_t>{8, 24}));
  EXPECT_EQ(kinds_among(windowed_llama(), 7), (PerKind<std::int64_t>{1, 6}));
  EXPECT_EQ(kind_of_layer(windowed_llama(), 2), 1U);
  EXPECT_EQ(kind_of_layer(windowed_llama(), 3), 0U);
  EXPECT_EQ(kinds_among(windowed_gpt_oss(), 36), (PerKind<std::int64_t>{18, 18}));
  Transformer all = windowed_llama();
  all.window.full_period = 0;  // as in Mistral 7B
  EXPECT_EQ(layer_kinds(all).count, 1U);
  EXPECT_EQ(layer_kinds(all).list[0], windowed);
}

// Windows in two layers of three, experts in every second one behind the first.
TEST(SlidingWindow, LayersWithAndWithoutExpertsAreCountedOneByOne) {
  Transformer model = mixtral_8x7b();
  model.window = {.tokens = 1024, .full_period = 3};
  model.experts.first_dense_layers = 1;
  model.experts.period = 2;
  EXPECT_EQ(layer_kinds(model).count, 4U);
  PerKind<std::int64_t> counts{};
  for (std::int64_t layers = 0; layers <= model.layers; ++layers) {
    EXPECT_EQ(kinds_among(model, layers), counts) << layers;
    if (layers == model.layers) break;
    const LayerKind kind = layer_kinds(model).list[kind_of_layer(model, layers)];
    EXPECT_EQ(kind.mixer == Mixer::attention, layers % 3 == 2) << layers;
    EXPECT_EQ(kind.ffn == FeedForward::experts, layers > 0 && layers % 2 == 0) << layers;
    ++counts[kind_of_layer(model, layers)];
  }
}

// The first 1,024 of 8,192 tokens attend to 1 to 1,024 tokens, all others to 1,024.
TEST(SlidingWindow, TokensAttendToAtMostTheWindow) {
  const double attended = 1024.0 * 1025.0 / 2.0 + (8192.0 - 1024.0) * 1024.0;
  EXPECT_DOUBLE_EQ(attended_keys(windowed_llama(), Mixer::window), 1920.0);
  EXPECT_NEAR(attended / 8192.0, 1920.0 / 2.0, 0.1);
  EXPECT_EQ(attended_keys(windowed_llama(), Mixer::attention), 8192.0);
  Transformer wide = windowed_llama();
  wide.window.tokens = 10000;
  EXPECT_EQ(attended_keys(wide, Mixer::window), 8192.0);
}

TEST(SlidingWindow, ModelFlopsCountWhatTokensAttendTo) {
  const double keys = 8.0 * 8192.0 + 24.0 * 1920.0;
  EXPECT_DOUBLE_EQ(mfu_flops_per_token(windowed_llama()),
                   6.0 * mfu_parameters(llama_8b()) + 6.0 * 4096.0 * keys);
  EXPECT_EQ(total_parameters(windowed_llama()), total_parameters(llama_8b()));
}

TEST(SlidingWindow, OnlyAttentionDiffers) {
  const Transformer model = windowed_llama();
  const LayerShape whole = layer_shape(model, Plan{}, round_stack(), {});
  const LayerShape shape = layer_shape(model, Plan{}, round_stack(), windowed);
  EXPECT_EQ(whole.attention.keys, 8192.0);
  EXPECT_EQ(shape.attention.keys, 1920.0);
  EXPECT_EQ(shape.attention.queries, whole.attention.queries);
  EXPECT_EQ(shape.product_count, whole.product_count);
  EXPECT_EQ(shape.element_split, whole.element_split);
  EXPECT_EQ(rank_layer_parameters(model, Plan{}, windowed),
            rank_layer_parameters(model, Plan{}, {}));
  EXPECT_EQ(kept_by_layer(model, windowed, Plan{}, Recompute::none, round_stack(), 1.0),
            kept_by_layer(model, {}, Plan{}, Recompute::none, round_stack(), 1.0));
}

TEST(SlidingWindow, KernelsThatAreNotFusedComputeAllScores) {
  Stack stack = round_stack();
  stack.attention = AttentionKernel::unfused;
  EXPECT_EQ(layer_shape(windowed_llama(), Plan{}, stack, windowed).attention.keys, 8192.0);
  EXPECT_GT(kept_by_layer(windowed_llama(), windowed, Plan{}, Recompute::none, stack, 1.0),
            kept_by_layer(windowed_llama(), windowed, Plan{}, Recompute::none, round_stack(), 1.0));
}

// 32 heads of 128 and 8,192 queries, forward and 2.5 times that backward: 8 layers of 8,192 keys,
// 24 of 1,920, each at the rate of kernels with so many keys.
TEST(SlidingWindow, StepsAttendByHand) {
  Cluster cluster = round_cluster(8);
  cluster.device.memory = Bytes{1e15};
  cluster.device.kernel_overhead = 0_s;
  Plan plan{};
  plan.global_batch = 8;
  Workspace workspace;
  const StepReport report = evaluate(windowed_llama(), plan, cluster, round_stack(), workspace);
  const auto forward = [](double keys) {
    const double rate = 1000e12 * 0.5 * keys / (keys + 600.0);
    return 4.0 * 8192.0 * keys * 32.0 * 128.0 / 2.0 / rate;
  };
  const double expected = 3.5 * (8.0 * forward(8192.0) + 24.0 * forward(1920.0));
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_NEAR(report.parts[static_cast<std::size_t>(StepPart::attention)].value, expected,
              1e-9 * expected);
}

// Two stages of 16 layers, 4 of each without a window.
TEST(SlidingWindow, StagesKnowTheirLayers) {
  Plan plan{};
  plan.pipeline_parallel = 2;
  plan.global_batch = 64;
  StepProgram program;
  lower(windowed_llama(), plan, round_cluster(8), round_stack(), program);
  ASSERT_EQ(program.runs.size(), 2U);
  for (const StageRun& run : program.runs) {
    EXPECT_EQ(run.kinds[0].layers, 4.0);
    EXPECT_EQ(run.kinds[1].layers, 12.0);
  }
}

}  // namespace
}  // namespace cubicbench::sim
