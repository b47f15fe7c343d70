#include "predictor/neural/losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace cubicbench::predictor {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

TEST(MarginRankingLoss, MatchesPairsByHand) {
  // Targets say 2 > 1 > 0. Pairs (0, 1): wrong way round by 2, so 0.5 + 2 = 2.5. (0, 2): right by
  // 0.25 < 0.5, so 0.25. (1, 2): right by 2.25, nothing. The mean of three pairs is 2.75 / 3.
  const std::array<float, 3> scores{0.25F, 2.25F, 0.0F};
  const std::array<float, 3> targets{2.0F, 1.0F, 0.0F};
  std::array<float, 3> gradient{};
  EXPECT_NEAR(margin_ranking_loss(scores, targets, 0.5F, gradient), 2.75F / 3.0F, 1e-6);
  EXPECT_THAT(gradient, ElementsAre(FloatNear(-2.0F / 3.0F, 1e-6F), FloatNear(1.0F / 3.0F, 1e-6F),
                                    FloatNear(1.0F / 3.0F, 1e-6F)));
}

TEST(MarginRankingLoss, LeavesEqualTargetsAlone) {
  const std::array<float, 2> scores{3.0F, -1.0F};
  const std::array<float, 2> targets{1.0F, 1.0F};
  std::array<float, 2> gradient{9.0F, 9.0F};
  EXPECT_EQ(margin_ranking_loss(scores, targets, 0.5F, gradient), 0.0F);
  EXPECT_THAT(gradient, ElementsAre(0.0F, 0.0F));
}

TEST(SquaredLoss, MatchesTheFormula) {
  const std::array<float, 2> scores{3.0F, -1.0F};
  const std::array<float, 2> targets{1.0F, 0.0F};
  std::array<float, 2> gradient{};
  EXPECT_EQ(squared_loss(scores, targets, gradient), 2.5F);  // (4 + 1) / 2
  EXPECT_THAT(gradient, ElementsAre(2.0F, -1.0F));           // 2 x error / 2
}

TEST(LogisticLoss, MatchesTheFormulaAndOverflowsNowhere) {
  const std::array<float, 4> scores{0.0F, 0.0F, 200.0F, -200.0F};
  const std::array<float, 4> targets{1.0F, 0.0F, 0.0F, 0.0F};
  std::array<float, 4> gradient{};
  // ln 2 twice, 200 for the confident error, nothing for the confident truth; a quarter of it.
  EXPECT_NEAR(logistic_loss(scores, targets, gradient), (2.0 * std::log(2.0) + 200.0) / 4.0, 1e-4);
  EXPECT_THAT(gradient, ElementsAre(FloatNear(-0.125F, 1e-6F), FloatNear(0.125F, 1e-6F),
                                    FloatNear(0.25F, 1e-6F), FloatNear(0.0F, 1e-6F)));
  EXPECT_EQ(logistic(0.0), 0.5);
  EXPECT_NEAR(logistic(std::log(3.0)), 0.75, 1e-15);
  EXPECT_EQ(logistic(-1e4), 0.0);
}

}  // namespace
}  // namespace cubicbench::predictor
