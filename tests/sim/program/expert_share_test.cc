#include "sim/program/expert_share.h"

#include <gtest/gtest.h>

#include "tests/sim/expert_models.h"

namespace cubicbench::sim {
namespace {

TEST(ExpertShare, TokensOfARankByHand) {
  Plan plan{};
  plan.tensor_parallel = 4;
  plan.sequence_parallel = true;
  plan.expert_parallel = 4;
  const ExpertShare share = expert_share(mixtral_8x7b(), plan);
  EXPECT_EQ(share.tokens, 4096.0 / 4.0);
  EXPECT_EQ(share.copies, 1024.0 * 2.0);
  EXPECT_EQ(share.computed, share.copies);
  EXPECT_EQ(share.experts, 2.0);
  EXPECT_EQ(share.rows, 1024.0);
  EXPECT_EQ(share.width, 14336.0);
}

TEST(ExpertShare, RanksThatShareAnExpertComputeEachOthersTokens) {
  Plan plan{};
  plan.tensor_parallel = 4;
  plan.expert_parallel = 2;
  plan.expert_tensor_parallel = 4;
  const ExpertShare share = expert_share(mixtral_8x7b(), plan);
  EXPECT_EQ(share.computed, 4.0 * share.copies);
  EXPECT_EQ(share.width, 14336.0 / 4.0);
  EXPECT_EQ(share.rows * share.experts, share.computed);
}

TEST(ExpertShare, BusiestOfManyHasMoreThanTheMean) {
  Experts experts = mixtral_8x7b().experts;
  EXPECT_EQ(busiest_load(experts, 8), 1.0);
  experts.load_deviation_thousandths = 500;
  EXPECT_EQ(busiest_load(experts, 1), 1.0);  // which has all
  // Two ranks of four experts: deviation 0.5 sqrt(4 / (4 x 7)), the larger of two is 0.564 above.
  EXPECT_NEAR(busiest_load(experts, 2), 1.0 + 0.564 * 0.5 / 2.6458, 1e-4);
  EXPECT_NEAR(busiest_load(experts, 8), 1.0 + 1.424 * 0.5, 1e-12);
  experts.capacity_thousandths = 1250;
  EXPECT_EQ(busiest_load(experts, 8), 1.25);  // what is more is dropped, what is less is padded
}

TEST(ExpertShare, DistinctGroupsByHand) {
  const Experts experts = mixtral_8x7b().experts;  // 2 of 8
  EXPECT_DOUBLE_EQ(distinct_groups(experts, 1, 1), 1.0);
  EXPECT_DOUBLE_EQ(distinct_groups(experts, 8, 8), 2.0);
  EXPECT_DOUBLE_EQ(distinct_groups(experts, 2, 2), 1.0 + 4.0 / 7.0);
  // Of four nodes of 32 experts that 8 are drawn from, none lies on one with (96 over 128) ... .
  double none = 1.0;
  for (int i = 0; i < 8; ++i) none *= (96.0 - i) / (128.0 - i);
  EXPECT_DOUBLE_EQ(distinct_groups(deepseek_v3().experts, 8, 4), 4.0 * (1.0 - none));
}

TEST(ExpertShare, ATokenCrossesToANodeOnce) {
  const Group eight_nodes{.ranks = 64, .ranks_per_node = 8};
  const Experts experts = deepseek_v3().experts;
  const DispatchCopies two_steps =
      dispatch_copies(experts, ExpertDispatch::hierarchical, eight_nodes);
  const DispatchCopies deepep = dispatch_copies(experts, ExpertDispatch::deepep, eight_nodes);
  EXPECT_LT(two_steps.across, 4.0);
  EXPECT_GT(two_steps.across, 3.0);
  EXPECT_EQ(two_steps.on_node, 8.0);
  EXPECT_EQ(deepep.across, two_steps.across);
  EXPECT_LT(deepep.on_node, 8.0);  // two experts of a rank get it once
  EXPECT_GT(deepep.on_node, 7.0);
}

}  // namespace
}  // namespace cubicbench::sim
