// Work and shapes of recommendation models against sums by hand.
#include "sim/workload/recommendation.h"

#include <gtest/gtest.h>

#include "sim/workload/arch_work.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// MLPerf's: 26 tables of 128, 13 continuous features.
Recommendation mlperf(Interaction interaction) {
  Recommendation model;
  model.tables = {{.tables = 26, .rows = 1000, .dim = 128, .pooling = 1.0}};
  model.dense_inputs = 13;
  model.dense = Mlp{{512, 256, 128}};
  model.interaction = interaction;
  model.over = Mlp{{1024, 1024, 512, 256, 1}};
  return model;
}

double flops_of(const Recommendation& model, ModuleGroup group) {
  return forward_flops(arch_work(model, group));
}

double weights_of(const Recommendation& model, ModuleGroup group) {
  return parameters_of(arch_work(model, group));
}

constexpr double bottom = 13 * 512 + 512 * 256 + 256 * 128;  // 170,496
constexpr double top = 1024 * 1024 + 1024 * 512 + 512 * 256 + 256;

TEST(ArchWork, OfMlperfsCrossNetwork) {
  // 27 features of 128 side by side are 3,456; three layers of a 512 x 3,456 and a 3,456 x 512.
  const Recommendation model = mlperf(CrossInteraction{.layers = 3, .rank = 512});
  EXPECT_EQ(weights_of(model, ModuleGroup::dense), bottom);
  EXPECT_EQ(weights_of(model, ModuleGroup::interaction), 3 * 2 * 3456 * 512);
  EXPECT_EQ(weights_of(model, ModuleGroup::over), 3456 * 1024 + top);
  EXPECT_EQ(weights_of(model, ModuleGroup::sequence), 0.0);
  // All weights are used once: 2 x 16,030,464 [MLPerf, layer list, without biases].
  EXPECT_EQ(dense_parameters(model), 16'030'464.0);
  EXPECT_EQ(mfu_flops_per_sample(model), 3 * 32'060'928.0);
}

TEST(ArchWork, OfMlperfsDotProducts) {
  // The 4,916,992 of its layer list count all 27 x 27 products of the features, as a batched matrix
  // product computes them, though the over arch reads the 351 of different ones.
  const Recommendation model = mlperf(DotInteraction{});
  EXPECT_EQ(feature_count(model), 27);
  EXPECT_EQ(over_inputs(model), 351 + 128);
  EXPECT_EQ(flops_of(model, ModuleGroup::interaction), 2 * 27 * 27 * 128);
  EXPECT_EQ(weights_of(model, ModuleGroup::interaction), 0.0);
  EXPECT_EQ(weights_of(model, ModuleGroup::over), 479 * 1024 + top);
  EXPECT_EQ(dense_parameters(model), 2'365'184.0);
  EXPECT_EQ(mfu_flops_per_sample(model), 3 * 4'916'992.0);
}

// The gradients of products of features need the features; of the products themselves, which are
// cut to a triangle, only who recomputes nothing has kept them.
TEST(ArchWork, OfDotProductsKeepsTheFeatures) {
  const ArchWork work = arch_work(mlperf(DotInteraction{}), ModuleGroup::interaction);
  EXPECT_EQ(work.layer.kept, 27 * 128 + 27 * 27);
  EXPECT_EQ(work.layer.kept_selective, 27 * 128);
  EXPECT_EQ(work.layer.kept_full, 27 * 128);
}

TEST(ArchWork, OfAnMlpIsOneLayerOfAllItsProducts) {
  const ArchWork work = arch_work(mlperf(std::monostate{}), ModuleGroup::dense);
  EXPECT_EQ(work.layers, 1.0);
  EXPECT_EQ(work.layer.product_count, 3u);
  EXPECT_EQ(work.entry.product_count, 0u);
  EXPECT_FALSE(work.inputs_learn);  // continuous features take no gradient
  // Inputs and outputs of all three: 13 + 512, 512 + 256, 256 + 128.
  EXPECT_EQ(work.layer.kept, 13 + 2 * 512 + 2 * 256 + 128);
  EXPECT_EQ(work.layer.kept_selective, 13 + 512 + 256);
  EXPECT_EQ(work.layer.kept_full, 13);
  EXPECT_EQ(work.layer.element_wise, 2 * (512 + 256 + 128));
  EXPECT_EQ(arch_work(mlperf(std::monostate{}), ModuleGroup::interaction).layers, 0.0);
}

TEST(ArchWork, OfResidualArchsIsThatOfTheirLayersAndAProjection) {
  // 1,024 inputs to 1,024; 3 layers of 1,024 to 4,096 and back.
  const Recommendation model = small_ads();
  EXPECT_EQ(weights_of(model, ModuleGroup::dense), 1024 * 1024 + 3 * 2 * 1024.0 * 4096);
  // 450 tables of 64, 40 of 32, 10 of 128 and the dense arch's 1,024 to 4,096.
  const double inputs = 450 * 64 + 40 * 32 + 10 * 128 + 1024;
  EXPECT_EQ(over_inputs(model), inputs);
  const double over = inputs * 4096 + 12 * 2 * 4096.0 * 8192;
  EXPECT_EQ(weights_of(model, ModuleGroup::over), over);
  EXPECT_EQ(flops_of(model, ModuleGroup::over), 2 * over);
  EXPECT_EQ(mfu_flops_per_sample(model), 6 * dense_parameters(model));
}

TEST(ArchWork, OfStackedFactorisationMachines) {
  // 26 rows of 128 and the dense arch's 128 become n = 16 features of d = 64; k = 4, h = 32,
  // 6 of 16 by products.
  const Recommendation model = mlperf(StackedInteraction{.layers = 2,
                                                         .features = 16,
                                                         .dim = 64,
                                                         .compressed = 4,
                                                         .ffn_hidden = 32,
                                                         .product_features = 6});
  // Each of 27 features has a 128 x 64 of its own, then 27 become 16 in each of 64 elements.
  const double entry_weights = 27 * 128 * 64 + 27 * 16;
  const double entry_products = 27 * 128 * 64 + 64 * 27 * 16;
  // Y 16 x 4; MLP 64 -> 32 -> 6 x 64; 10 combinations of 16.
  const double layer_weights = 16 * 4 + 64 * 32 + 32 * 384 + 10 * 16;
  // X^T Y in 64 elements, X (X^T Y) 16 x 64 by 64 x 4, the MLP once, combinations in 64 elements.
  const double layer_products = 64 * 16 * 4 + 16 * 64 * 4 + 64 * 32 + 32 * 384 + 64 * 10 * 16;
  EXPECT_EQ(weights_of(model, ModuleGroup::interaction), entry_weights + 2 * layer_weights);
  EXPECT_EQ(flops_of(model, ModuleGroup::interaction), 2 * (entry_products + 2 * layer_products));
  EXPECT_EQ(over_inputs(model), 16 * 64);
}

TEST(ArchWork, OfASequence) {
  // Two tables of 32 are read id by id, the longest has 49.5 ids: 50 tokens of 64, h = 128.
  Recommendation model = mlperf(std::monostate{});
  model.tables.push_back({.tables = 1, .rows = 10, .dim = 32, .pooling = 20.0, .pooled = false});
  model.tables.push_back({.tables = 1, .rows = 10, .dim = 32, .pooling = 49.5, .pooled = false});
  model.sequence = SequenceArch{.layers = 2, .width = 128, .heads = 4, .ffn_hidden = 512};
  EXPECT_EQ(sequence_tokens(model), 50);
  EXPECT_EQ(token_width(model), 64);
  EXPECT_EQ(exchanged_width(model), 26 * 128 + 32 * 20.0 + 32 * 49.5);
  EXPECT_EQ(pooled_width(model), 26 * 128);
  EXPECT_EQ(feature_width(model), 26 * 128 + 128 + 128);
  EXPECT_EQ(feature_count(model), 28);
  const double layer_weights = 4 * 128 * 128 + 2 * 128 * 512;
  EXPECT_EQ(weights_of(model, ModuleGroup::sequence), 64 * 128 + 2 * layer_weights);
  // Scores and values of the half that a causal mask leaves: 2 x 2 x 50 x 50 / 2 x 128.
  const double attention = 2 * 50 * 50 * 128;
  EXPECT_EQ(flops_of(model, ModuleGroup::sequence),
            2 * 50 * 64 * 128 + 2 * (2 * 50 * layer_weights + attention));
}

TEST(ArchWork, RecomputedLayersNeverKeepMore) {
  for (const Interaction& interaction :
       {Interaction{}, Interaction{DotInteraction{}}, Interaction{CrossInteraction{}},
        Interaction{StackedInteraction{}}}) {
    const Recommendation model = mlperf(interaction);
    for (std::size_t i = 0; i < module_group_count; ++i) {
      const LayerWork layer = arch_work(model, static_cast<ModuleGroup>(i)).layer;
      EXPECT_LE(layer.kept_full, layer.kept_selective);
      EXPECT_LE(layer.kept_selective, layer.kept);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
