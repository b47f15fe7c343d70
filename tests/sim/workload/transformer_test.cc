#include "sim/workload/transformer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

TEST(Transformer, CountsPublishedModels) {
  // Published totals: Llama 3 8B 8.03e9, 405B 405.85e9; GPT-3 174.6e9 without biases and positions.
  EXPECT_NEAR(total_parameters(llama_8b()), 8.03e9, 0.005e9);
  const Transformer llama_405b{.layers = 126,
                               .hidden = 16384,
                               .attention_heads = 128,
                               .kv_heads = 8,
                               .head_size = 128,
                               .ffn_hidden = 53248,
                               .gated_ffn = true,
                               .vocabulary = 128256,
                               .sequence = 8192};
  EXPECT_NEAR(total_parameters(llama_405b), 405.85e9, 0.01e9);
  const Transformer gpt3{.layers = 96,
                         .hidden = 12288,
                         .attention_heads = 96,
                         .kv_heads = 96,
                         .head_size = 128,
                         .ffn_hidden = 49152,
                         .vocabulary = 51200,
                         .tied_embeddings = true,
                         .sequence = 2048};
  EXPECT_NEAR(total_parameters(gpt3), 174.6e9, 0.1e9);
}

TEST(Transformer, CountsPublishedModelsWithExperts) {
  struct Case {
    const char* name;
    Transformer model;
    double total;   ///< prediction layers left out
    double active;  ///< embedding included, as model cards count
    double tolerance;
  };
  for (const Case& c : {Case{"Mixtral 8x7B: 46.7B, 12.9B", mixtral_8x7b(), 46.7e9, 12.9e9, 0.05e9},
                        Case{"DeepSeek-V3: 671B, 37B", deepseek_v3(), 671e9, 37.5e9, 0.1e9},
                        Case{"Qwen3: 235B, 22B", qwen3_235b(), 235.1e9, 22.2e9, 0.1e9},
                        Case{"Qwen3: 30.5B, 3.3B", qwen3_30b(), 30.5e9, 3.35e9, 0.05e9},
                        Case{"gpt-oss: 116.8B, 5.1B without its input embedding", gpt_oss_120b(),
                             116.8e9, 5.71e9, 0.05e9}}) {
    SCOPED_TRACE(c.name);
    Transformer model = c.model;
    model.prediction_layers = 0;
    EXPECT_NEAR(total_parameters(model), c.total, c.tolerance);
    EXPECT_NEAR(mfu_parameters(model) + embedding_parameters(model), c.active, c.tolerance);
  }
}

// 14B in the published checkpoint, which has the shared embedding and head twice.
TEST(Transformer, CountsPredictionLayersApart) {
  const Transformer model = deepseek_v3();
  Transformer without = model;
  without.prediction_layers = 0;
  const double more = total_parameters(model) - total_parameters(without);
  EXPECT_NEAR(more + 2.0 * embedding_parameters(model), 13.5e9, 0.1e9);
  EXPECT_DOUBLE_EQ(more,
                   layer_parameters(model, {Mixer::latent_attention, FeedForward::experts}, 256.0) +
                       2.0 * 7168.0 * 7168.0 + 2.0 * 7168.0);
}

TEST(Transformer, ExpertLayersFollowDenseOnesAndPeriods) {
  Transformer model = deepseek_v3();
  EXPECT_EQ(kind_of_layer(model, 2), 0U);
  EXPECT_EQ(kind_of_layer(model, 3), 1U);
  EXPECT_EQ(kinds_among(model, 61), (PerKind<std::int64_t>{3, 58}));
  EXPECT_EQ(kinds_among(model, 3), (PerKind<std::int64_t>{3, 0}));
  model.experts.first_dense_layers = 0;
  model.experts.period = 2;
  EXPECT_EQ(kind_of_layer(model, 0), 0U);
  EXPECT_EQ(kind_of_layer(model, 1), 1U);
  PerKind<std::int64_t> counts{};
  for (std::int64_t layers = 0; layers <= 61; ++layers) {
    EXPECT_EQ(kinds_among(model, layers), counts) << layers;
    ++counts[kind_of_layer(model, layers)];
  }
}

TEST(Transformer, HasOnlyKindsOfWhichItHasLayers) {
  struct Case {
    const char* name;
    Transformer model;
    std::vector<LayerKind> expected;
  };
  const LayerKind experts{.ffn = FeedForward::experts};
  for (const Case& c :
       {Case{"dense", llama_8b(), {LayerKind{}}},
        Case{"experts in each", mixtral_8x7b(), {experts}},
        Case{"dense ones at the front",
             deepseek_v3(),
             {{Mixer::latent_attention}, {Mixer::latent_attention, FeedForward::experts}}}}) {
    SCOPED_TRACE(c.name);
    const LayerKinds kinds = layer_kinds(c.model);
    EXPECT_EQ(std::vector(kinds.list.begin(), kinds.list.begin() + kinds.count), c.expected);
  }
}

TEST(Transformer, LayerIsTheSumOfItsMatrices) {
  const Transformer m = llama_8b();
  const double h = 4096.0;
  const double q_and_out = 2.0 * h * h;
  const double k_and_v = 2.0 * h * 1024.0;
  const double ffn = 3.0 * h * 14336.0;
  EXPECT_DOUBLE_EQ(layer_parameters(m, {}), q_and_out + k_and_v + ffn + 2.0 * h);
}

TEST(Transformer, LatentAttentionHasQueriesOfTheirOwnOrStraightFromTheHiddenState) {
  // DeepSeek-V2-Lite: 16 heads of 128 + 64 from a hidden state of 2,048, latent vectors of 512.
  Transformer m{.hidden = 2048, .attention_heads = 16, .head_size = 192};
  m.latent = {.query_rank = 0, .key_rank = 512, .rope_size = 64, .value_size = 128};
  const double down = 2048.0 * (512.0 + 64.0) + 512.0;
  const double up = 512.0 * 16.0 * (128.0 + 128.0);
  const double out = 16.0 * 128.0 * 2048.0;
  EXPECT_DOUBLE_EQ(latent_attention_parameters(m, 1.0), 2048.0 * 16.0 * 192.0 + down + up + out);
  m.latent.query_rank = 1536;
  EXPECT_DOUBLE_EQ(latent_attention_parameters(m, 1.0),
                   2048.0 * 1536.0 + 1536.0 + 1536.0 * 16.0 * 192.0 + down + up + out);
}

TEST(Transformer, MfuCountsTheHeadOnceAndNoEmbedding) {
  const Transformer m = llama_8b();
  Transformer tied = m;
  tied.tied_embeddings = true;
  EXPECT_DOUBLE_EQ(mfu_parameters(m), total_parameters(m) - embedding_parameters(m));
  EXPECT_DOUBLE_EQ(mfu_parameters(tied), mfu_parameters(m));
  EXPECT_DOUBLE_EQ(mfu_flops_per_token(m), 6.0 * mfu_parameters(m) + 6.0 * 32.0 * 4096.0 * 8192.0);
}

}  // namespace
}  // namespace cubicbench::sim
