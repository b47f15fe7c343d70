#include "sim/truth/numeric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string_view>

namespace cubicbench::sim {
namespace {

const NumericModel& assumed() { return *find_numeric_model("assumed-2026"); }

Plan fp8_products() {
  Plan plan;
  plan.dtype = Dtype::fp8;
  return plan;
}

TEST(NumericModels, AreFoundByName) {
  ASSERT_NE(find_numeric_model("none"), nullptr);
  EXPECT_TRUE(find_numeric_model("none")->risks.empty());
  EXPECT_EQ(assumed().risks.size(), 10U);
  EXPECT_EQ(find_numeric_model("assumed"), nullptr);
  std::set<std::string_view> causes;
  for (const NumericRisk& risk : assumed().risks) {
    EXPECT_TRUE(causes.insert(risk.cause).second) << risk.cause;
    EXPECT_FALSE(risk.reason.empty());
    EXPECT_GT(risk.probability, 0.0);
    EXPECT_LT(risk.probability, 0.5);
  }
}

TEST(Divergence, NeverComesToCommonPractice) {
  // Products, sums, rows and their gradients in bf16, tables in fp32.
  Plan plan;
  plan.reduce_dtype = Dtype::bf16;
  plan.forward_comm_dtype = Dtype::bf16;
  plan.backward_comm_dtype = Dtype::bf16;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    EXPECT_FALSE(divergence(assumed(), plan, seed)) << seed;
    EXPECT_FALSE(divergence(*find_numeric_model("none"), fp8_products(), seed)) << seed;
  }
}

TEST(Divergence, ComesWithTheProbabilityOfItsRisk) {
  // Plans to which one risk applies. A share of 4,000 seeds lies within 4 standard deviations.
  const auto with = [](auto change) {
    Plan plan;
    change(plan);
    return plan;
  };
  struct Case {
    std::string_view cause;
    double probability;
    Plan plan;
  };
  for (const Case& c :
       {Case{"matrix products in fp16", 1.0 / 8.0, with([](Plan& p) { p.dtype = Dtype::fp16; })},
        Case{"matrix products in fp8", 1.0 / 4.0, fp8_products()},
        Case{"matrix products in mxfp8", 1.0 / 8.0, with([](Plan& p) { p.dtype = Dtype::mxfp8; })},
        Case{"matrix products in nvfp4", 1.0 / 3.0, with([](Plan& p) { p.dtype = Dtype::nvfp4; })},
        Case{"gradients summed in fp16", 1.0 / 32.0,
             with([](Plan& p) { p.reduce_dtype = Dtype::fp16; })},
        Case{"tables in 16 bits", 1.0 / 16.0,
             with([](Plan& p) { p.embedding_dtype = Dtype::bf16; })},
        Case{"rows sent in fp8", 1.0 / 8.0,
             with([](Plan& p) { p.forward_comm_dtype = Dtype::fp8; })},
        Case{"gradients of rows sent in fp16", 1.0 / 32.0,
             with([](Plan& p) { p.backward_comm_dtype = Dtype::fp16; })},
        Case{"gradients of rows sent in fp8", 1.0 / 4.0,
             with([](Plan& p) { p.backward_comm_dtype = Dtype::fp8; })}}) {
    SCOPED_TRACE(c.cause);
    constexpr int seeds = 4000;
    int diverged = 0;
    double after = 0.0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto found = divergence(assumed(), c.plan, seed);
      if (!found) continue;
      ++diverged;
      EXPECT_EQ(found->cause, c.cause);
      EXPECT_GE(found->after, 0.0);
      EXPECT_LT(found->after, 1.0);
      after += found->after;
    }
    const double p = c.probability;
    EXPECT_NEAR(diverged / double{seeds}, p, 4.0 * std::sqrt(p * (1.0 - p) / seeds));
    // Uniform: mean 1/2, standard deviation 1/sqrt(12).
    EXPECT_NEAR(after / diverged, 0.5, 4.0 / std::sqrt(12.0 * diverged));
  }
}

TEST(Divergence, IsSharedByPlansThatDifferInOtherSettings) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Plan other = fp8_products();
    other.tensor_parallel = 8;
    other.micro_batch = 4;
    other.compile = true;
    other.recompute = Recompute::full;
    other.embedding_plan = EmbeddingPlan::grid;
    const auto one = divergence(assumed(), fp8_products(), seed);
    const auto two = divergence(assumed(), other, seed);
    ASSERT_EQ(one.has_value(), two.has_value()) << seed;
    if (one) {
      EXPECT_EQ(one->after, two->after);
    }
  }
}

TEST(Divergence, IsDrawnAnewWhereTheRecipeDiffers) {
  Plan other = fp8_products();
  other.optimizer = Optimizer::sgd;
  int both = 0;
  int one = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const bool first = divergence(assumed(), fp8_products(), seed).has_value();
    const bool second = divergence(assumed(), other, seed).has_value();
    both += first && second ? 1 : 0;
    one += first != second ? 1 : 0;
  }
  // Independent: 1/16 and 2 x 3/16 of the seeds.
  EXPECT_NEAR(both / 2000.0, 1.0 / 16.0, 0.022);
  EXPECT_NEAR(one / 2000.0, 6.0 / 16.0, 0.044);
}

TEST(PrecisionRecipe, TellsAllOptimizersApart) {
  constexpr Optimizer all[] = {Optimizer::sgd,  Optimizer::adam,      Optimizer::adamw,
                               Optimizer::muon, Optimizer::adam_8bit, Optimizer::rowwise_adagrad};
  std::set<std::uint32_t> recipes;
  for (const Optimizer of_weights : all) {
    for (const Optimizer of_tables : all) {
      Plan plan;
      plan.optimizer = of_weights;
      plan.embedding_optimizer = of_tables;
      EXPECT_TRUE(recipes.insert(precision_recipe(plan)).second);
    }
  }
  // bf16, bf16, fp32, fp32 three times, AdamW, and Adagrad by rows: as it always was.
  EXPECT_EQ(precision_recipe(Plan{}), 0b011'011'000'000'000'000'10'11U);
}

TEST(Divergence, OfSeveralRisksOneIsEnough) {
  Plan both = fp8_products();
  both.backward_comm_dtype = Dtype::fp8;
  int products = 0;
  int rows = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const auto found = divergence(assumed(), both, seed);
    if (!found) continue;
    products += found->cause == "matrix products in fp8" ? 1 : 0;
    rows += found->cause == "gradients of rows sent in fp8" ? 1 : 0;
  }
  // 1 - (3/4)^2 of the seeds, and either shows first as often as the other.
  EXPECT_NEAR((products + rows) / 4000.0, 7.0 / 16.0, 4.0 * std::sqrt(63.0 / 256.0 / 4000.0));
  EXPECT_NEAR(products / 4000.0, 7.0 / 32.0, 0.03);
}

TEST(Divergence, ComesMoreOftenWhereGradientsOfCoarseProductsAreSummedInBf16) {
  Plan plan = fp8_products();
  plan.reduce_dtype = Dtype::bf16;
  int diverged = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    diverged += divergence(assumed(), plan, seed) ? 1 : 0;
  }
  // 1 - 3/4 x 15/16
  EXPECT_NEAR(diverged / 4000.0, 19.0 / 64.0, 4.0 * std::sqrt(19.0 * 45.0 / 4096.0 / 4000.0));
}

TEST(PrecisionRecipe, TellsEverySettingThatDecides) {
  const auto with = [](auto change) {
    Plan plan;
    change(plan);
    return precision_recipe(plan);
  };
  const std::set<std::uint32_t> recipes{
      precision_recipe(Plan{}),
      with([](Plan& p) { p.dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.param_dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.reduce_dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.embedding_dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.forward_comm_dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.backward_comm_dtype = Dtype::nvfp4; }),
      with([](Plan& p) { p.optimizer = Optimizer::rowwise_adagrad; }),
      with([](Plan& p) { p.embedding_optimizer = Optimizer::sgd; })};
  EXPECT_EQ(recipes.size(), 9U);
  EXPECT_EQ(precision_recipe(Plan{}), with([](Plan& p) { p.micro_batch = 7; }));
}

}  // namespace
}  // namespace cubicbench::sim
