// Layers of HSTU and histories that differ in length, against sums by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/workload/arch_work.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {
namespace {

/// Histories of 2,048 items and as many actions behind three features of context: the model of
/// github.com/NVIDIA/recsys-examples/blob/43465ae, examples/hstu/training/benchmark.
Recommendation ranking() {
  Recommendation model;
  model.tables = {{.rows = 50'000'000, .dim = 128, .pooling = 2048.0, .pooled = false},
                  {.rows = 100, .dim = 128, .pooling = 2048.0, .pooled = false},
                  {.tables = 3, .rows = 100, .dim = 128, .pooling = 1.0, .pooled = false}};
  model.dense = Mlp{{1}};
  model.sequence = SequenceArch{
      .layers = 8, .width = 1024, .heads = 4, .kind = SequenceLayer::hstu, .head_size = 256};
  model.over = Mlp{{512, 8}};
  return model;
}

constexpr double s = 4099.0;

TEST(Hstu, HasATokenForEachId) {
  const Recommendation model = ranking();
  EXPECT_EQ(sequence_tokens(model), 4099);
  EXPECT_EQ(token_width(model), 128);
}

TEST(Hstu, ALayerHasTwoProductsAndAttention) {
  const ArchWork work = arch_work(ranking(), ModuleGroup::sequence);
  EXPECT_EQ(work.layers, 8.0);
  ASSERT_EQ(work.layer.product_count, 2U);
  EXPECT_EQ(work.layer.parameters, 1024.0 * 4096.0 + 1024.0 * 1024.0);
  EXPECT_EQ(work.entry.parameters, 128.0 * 1024.0);
  // Products 2 x 4,099 x (1,024 x 4,096 + 1,024 x 1,024), causal attention 2 x 4,099^2 x 1,024.
  const double layer = 2.0 * s * 5.0 * 1024.0 * 1024.0 + 2.0 * s * s * 1024.0;
  EXPECT_DOUBLE_EQ(forward_flops(work), 8.0 * layer + 2.0 * s * 128.0 * 1024.0);
  // Norm 2 h, activation of four 8 h, norm and gate 3 h, residual h.
  EXPECT_EQ(work.layer.element_wise, s * 14.0 * 1024.0);
  EXPECT_EQ(work.layer.kept, s * 12.0 * 1024.0);
  EXPECT_EQ(work.layer.kept_selective, s * 6.0 * 1024.0);
  EXPECT_EQ(work.layer.kept_norms, s * 1024.0);
  EXPECT_EQ(work.layer.kept_full, s * 1024.0);
}

/// The source counts 63.89e12 for a batch of 32: 3 times products, 3.5 times attention.
TEST(Hstu, CountsWhatItsSourceCounts) {
  const ArchWork work = arch_work(ranking(), ModuleGroup::sequence);
  double products = 0.0;
  for (const ArchProduct& p : work.layer.all()) products += 2.0 * p.rows * p.n * p.k;
  const double attention = 2.0 * s * s * 1024.0;
  EXPECT_NEAR(32.0 * 8.0 * (3.0 * products + 3.5 * attention) / 63.89e12, 1.0, 1e-3);
}

TEST(HistoryLengths, OfOneLengthDoNotDiffer) {
  const Recommendation model = ranking();
  EXPECT_EQ(length_moment(model, 2), 1.0);
  EXPECT_EQ(lengths_together(model), 0.0);
  const WorkSpread spread = arch_work(model, ModuleGroup::sequence).spread;
  EXPECT_EQ(spread.tokens, 0.0);
  EXPECT_EQ(spread.attention, 0.0);
}

TEST(HistoryLengths, AreUniformWhereTheMeanIsHalfOfTheLongest) {
  Recommendation model = ranking();
  model.sequence->lengths.max = 2 * 4099;
  // Moments of a uniform length on [0, 2]: 4/3, 2, 16/5.
  EXPECT_NEAR(length_moment(model, 2), 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(length_moment(model, 3), 2.0, 1e-12);
  EXPECT_NEAR(length_moment(model, 4), 16.0 / 5.0, 1e-12);
  const ArchWork work = arch_work(model, ModuleGroup::sequence);
  EXPECT_NEAR(work.layer.attention.context, 4.0 / 3.0 * s, 1e-9);
  EXPECT_NEAR(work.spread.tokens, std::sqrt(1.0 / 3.0), 1e-12);
  EXPECT_NEAR(work.spread.attention, std::sqrt(0.8), 1e-12);  // (16/5) / (4/3)^2 - 1
  EXPECT_EQ(work.spread.most, 2.0);
  EXPECT_NEAR(work.spread.most_attention, 3.0, 1e-12);  // 4 / (4/3)
}

TEST(HistoryLengths, AreAPowerLawWhereMostAreShort) {
  Recommendation model = ranking();
  model.sequence->lengths.max = 4 * 4099;  // c = 1/3: moments 4^k (1/3) / (1/3 + k)
  EXPECT_NEAR(length_moment(model, 1), 1.0, 1e-12);
  EXPECT_NEAR(length_moment(model, 2), 16.0 / 7.0, 1e-12);
}

TEST(HistoryLengths, OfOneRankAreAlikeWhereSomeAreCommon) {
  Recommendation model = ranking();
  model.sequence->lengths = {.max = 8195, .skew = 1.2};
  // Sums over 1 to 8,195, one by one.
  double once = 0.0;
  double twice = 0.0;
  for (int k = 1; k <= 8195; ++k) {
    once += std::pow(k, -1.2);
    twice += std::pow(k, -2.4);
  }
  EXPECT_NEAR(lengths_together(model) / (twice / (once * once)), 1.0, 1e-4);
  EXPECT_EQ(arch_work(model, ModuleGroup::sequence).spread.together, lengths_together(model));
}

}  // namespace
}  // namespace cubicbench::sim
