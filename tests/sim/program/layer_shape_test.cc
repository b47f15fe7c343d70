#include "sim/program/layer_shape.h"

#include <gtest/gtest.h>

#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Multiplications of all tensor ranks' products, a token.
double products_a_token(const Transformer& model, const Plan& plan, LayerKind kind) {
  const LayerShape shape = layer_shape(model, plan, Stack{}, kind);
  double sum = 0.0;
  for (const LayerProduct& one : shape.products()) {
    sum += one.shape.m * one.shape.n * one.shape.k * one.shape.batch;
  }
  return sum * static_cast<double>(plan.tensor_parallel) / static_cast<double>(model.sequence);
}

/// Layers of the model, if they had experts or none.
LayerKind kind_of(const Transformer& model, FeedForward ffn) {
  return {layer_kinds(model).list[0].mixer, ffn};
}

/// Weights of norms inside latent attention, which no product has.
double latent_norms(const Transformer& model) {
  return static_cast<double>(model.latent.query_rank + model.latent.key_rank);
}

// Each weight that a token uses is multiplied once.
TEST(LayerShape, ProductsAreThoseOfTheWeightsThatATokenUses) {
  for (const Transformer& model : {mixtral_8x7b(), deepseek_v3(), qwen3_235b(), qwen3_30b()}) {
    for (const std::int64_t t : {1, 2, 4}) {
      for (const std::int64_t sharing : {std::int64_t{1}, t}) {
        Plan plan{};
        plan.tensor_parallel = t;
        plan.sequence_parallel = t > 1;
        plan.expert_parallel = 2;
        plan.expert_tensor_parallel = sharing;
        SCOPED_TRACE(testing::Message() << model.layers << " layers, " << t << " " << sharing);
        const double norms = 2.0 * static_cast<double>(model.hidden) + latent_norms(model);
        for (const FeedForward ffn : {FeedForward::dense, FeedForward::experts}) {
          const LayerKind kind = kind_of(model, ffn);
          const double used =
              layer_parameters(model, kind, static_cast<double>(model.experts.per_token));
          EXPECT_NEAR(products_a_token(model, plan, kind) / (used - norms), 1.0, 1e-12);
        }
      }
    }
  }
}

TEST(LayerShape, RanksHoldTheirShareOfTheWeights) {
  const Transformer model = deepseek_v3();
  Plan plan{};
  plan.expert_parallel = 64;
  const LayerKinds kinds = layer_kinds(model);
  ASSERT_EQ(kinds.count, 2U);
  for (const LayerKind kind : {kinds.list[0], kinds.list[1]}) {
    EXPECT_DOUBLE_EQ(rank_layer_parameters(model, plan, kind), layer_parameters(model, kind));
  }
  EXPECT_DOUBLE_EQ(rank_expert_parameters(model, plan), 4.0 * expert_parameters(model));
  plan.expert_tensor_parallel = 2;
  EXPECT_DOUBLE_EQ(rank_expert_parameters(model, plan), 2.0 * expert_parameters(model));
}

TEST(LayerShape, LatentAttentionScoresWithKeysAndValuesOfTheirOwnSize) {
  const LayerShape shape = layer_shape(deepseek_v3(), Plan{}, Stack{}, {Mixer::latent_attention});
  EXPECT_EQ(shape.attention.heads, 128.0);
  EXPECT_EQ(shape.attention.head_size, 160.0);  // of 192 and 128
  EXPECT_EQ(shape.exchanged, 128.0 * (192.0 + 128.0));
}

// Without experts and latent attention two pairs of products make two pairs of collectives.
TEST(LayerShape, OnlyPartsThatTensorRanksShareExchange) {
  Plan plan{};
  plan.tensor_parallel = 4;
  plan.sequence_parallel = true;
  const Transformer model = mixtral_8x7b();
  const TensorTraffic dense = layer_shape(model, plan, Stack{}, {}).forward;
  const TensorTraffic routed =
      layer_shape(model, plan, Stack{}, {.ffn = FeedForward::experts}).forward;
  EXPECT_EQ(dense.gathers, 2.0);
  EXPECT_EQ(routed.gathers, 1.0);
  const LayerShape shared =
      layer_shape(deepseek_v3(), plan, Stack{}, {Mixer::latent_attention, FeedForward::experts});
  EXPECT_EQ(shared.forward.scatters, 2.0);
  EXPECT_DOUBLE_EQ(shared.forward.gathers, 1.0 + (1536.0 + 512.0 + 64.0) / 7168.0);
}

}  // namespace
}  // namespace cubicbench::sim
