#include <gtest/gtest.h>

#include <cstdint>

#include "sim/workload/transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/hybrid_models.h"

namespace cubicbench::sim {
namespace {

constexpr LayerKind scan{.mixer = Mixer::scan, .ffn = FeedForward::none};
constexpr LayerKind attention{.ffn = FeedForward::none};
constexpr LayerKind experts{.mixer = Mixer::none, .ffn = FeedForward::experts};

TEST(StateSpace, LayersAreListedOneByOne) {
  const Transformer model = nemotron_3_nano();
  const LayerKinds kinds = layer_kinds(model);
  ASSERT_EQ(kinds.count, 3U);
  EXPECT_EQ(kinds.list[0], scan);
  EXPECT_EQ(kinds.list[1], experts);
  EXPECT_EQ(kinds.list[2], attention);
  EXPECT_EQ(kinds_among(model, 52), (PerKind<std::int64_t>{23, 23, 6}));
  EXPECT_EQ(kinds_among(model, 6), (PerKind<std::int64_t>{3, 2, 1}));
  EXPECT_EQ(kind_of_layer(model, 5), 2U);
  EXPECT_EQ(kind_of_layer(model, 51), 1U);
}

TEST(StateSpace, PatternsRepeat) {
  Transformer model = nemotron_3_nano();
  model.pattern = layers_of("ME*");
  model.layers = 6;
  PerKind<std::int64_t> counts{};
  for (std::int64_t layers = 0; layers < model.layers; ++layers) {
    EXPECT_EQ(kinds_among(model, layers), counts) << layers;
    EXPECT_EQ(kind_of_layer(model, layers), static_cast<std::size_t>(layers % 3));
    ++counts[static_cast<std::size_t>(layers % 3)];
  }
}

TEST(StateSpace, LayersThatPredictMayBeOfAKindOfTheirOwn) {
  const Transformer model = nemotron_3_super();
  ASSERT_EQ(layer_kinds(model).count, 4U);
  EXPECT_EQ(kind_of_prediction(model), 3U);
  EXPECT_EQ(kinds_among(model, 88), (PerKind<std::int64_t>{40, 40, 8, 0}));
  EXPECT_EQ(kind_of_prediction(nemotron_3_nano()), kind_of_layer(nemotron_3_nano(), 51));
}

// d = 128 x 64 = 8,192: products 4,096 x (2 x 8,192 + 2 x 8 x 128 + 128) and 8,192 x 4,096, five
// numbers a channel of the convolution, a norm of 8,192 and three numbers a head.
TEST(StateSpace, ParametersByHand) {
  const double products = 4096.0 * 18560.0 + 8192.0 * 4096.0;
  const double rest = 10240.0 * 5.0 + 8192.0 + 3.0 * 128.0;
  EXPECT_EQ(state_space_parameters(nemotron_h_8b(), 1.0), products + rest);
  EXPECT_EQ(layer_parameters(nemotron_h_8b(), scan), products + rest + 4096.0);
  EXPECT_EQ(state_space_parameters(nemotron_h_8b(), 4.0), (products + rest) / 4.0);
}

// As published: 8.1, 31.6 (3.2 used by a token, 3.6 with both tables) and 120.6 billion.
TEST(StateSpace, ModelsHaveTheirPublishedParameters) {
  EXPECT_NEAR(total_parameters(nemotron_h_8b()), 8.1e9, 0.01 * 8.1e9);
  EXPECT_NEAR(total_parameters(nemotron_3_nano()), 31.6e9, 0.01 * 31.6e9);
  EXPECT_NEAR(mfu_parameters(nemotron_3_nano()) + embedding_parameters(nemotron_3_nano()), 3.6e9,
              0.02 * 3.6e9);
  Transformer super = nemotron_3_super();
  super.prediction_layers = 0;
  EXPECT_NEAR(total_parameters(super), 120.6e9, 0.01 * 120.6e9);
}

// A chunk of 128 tokens: half of 2 x 128 x (1,024 + 8,192), and twice 2 x 8,192 x 128.
TEST(StateSpace, FlopsByHand) {
  const double forward = 128.0 * (1024.0 + 8192.0) + 4.0 * 8192.0 * 128.0;
  EXPECT_EQ(scan_flops(nemotron_h_8b()), forward);
  EXPECT_DOUBLE_EQ(
      mfu_flops_per_token(nemotron_h_8b()),
      6.0 * mfu_parameters(nemotron_h_8b()) + 6.0 * 4096.0 * 4.0 * 8192.0 + 24.0 * 3.0 * forward);
}

TEST(StateSpace, ShortSequencesAreOneChunk) {
  Transformer model = nemotron_h_8b();
  model.sequence = 32;
  EXPECT_EQ(scan_flops(model), 32.0 * (1024.0 + 8192.0) + 4.0 * 8192.0 * 128.0);
}

TEST(StateSpace, ExpertsMayBeNarrow) {
  const Transformer model = nemotron_3_super();
  EXPECT_EQ(expert_parameters(model), 2.0 * 1024.0 * 2688.0);
  EXPECT_EQ(layer_parameters(model, experts, 22.0), 4096.0 * (512.0 + 2.0 * 1024.0) +
                                                        22.0 * 2.0 * 1024.0 * 2688.0 +
                                                        2.0 * 4096.0 * 5376.0 + 4096.0);
}

// Layers of both parts, listed, are those of a model that lists none.
TEST(StateSpace, APatternOfAttentionIsTheTransformer) {
  Transformer listed = llama_8b();
  listed.pattern = {LayerKind{}};
  EXPECT_EQ(total_parameters(listed), total_parameters(llama_8b()));
  EXPECT_EQ(mfu_flops_per_token(listed), mfu_flops_per_token(llama_8b()));
  Transformer halves = llama_8b();
  halves.layers = 64;
  halves.pattern = layers_of("*-");
  EXPECT_EQ(total_parameters(halves), total_parameters(llama_8b()));
}

}  // namespace
}  // namespace cubicbench::sim
