#include <gtest/gtest.h>

#include <vector>

#include "predictor/judging/repeat_scores.h"

namespace cubicbench::predictor {
namespace {

using scenarios::Direction;
using List = std::vector<double>;

TEST(Quality, PercentageErrorIsRelativeToTheMeasured) {
  EXPECT_DOUBLE_EQ(mean_absolute_percentage_error(List{110, 40}, List{100, 50}), (0.1 + 0.2) / 2.0);
}

// Measured 10 9 8 7 6; predicted best first: the 8, the 10, the 6, the 9, the 7.
TEST(Quality, TopKRecall) {
  const List measured{10, 9, 8, 7, 6};
  const List predicted{4, 2, 5, 1, 3};
  struct Case {
    std::size_t k;
    double share;
  };
  for (const Case& c : {Case{1, 0.0}, Case{2, 0.5}, Case{3, 2.0 / 3.0}, Case{5, 1.0}}) {
    EXPECT_DOUBLE_EQ(top_k_recall(predicted, measured, c.k, Direction::maximize), c.share);
  }
  // Ascending, the two best measured are 6 and 7, the two best predicted those of 7 and 9.
  EXPECT_DOUBLE_EQ(top_k_recall(predicted, measured, 2, Direction::minimize), 0.5);
}

// Whatever the order of a table, one of three equal predictions is the best with chance 1/3.
TEST(Quality, TiesAreBrokenAtRandom) {
  for (const List& measured : {List{5, 6, 7}, List{7, 6, 5}}) {
    EXPECT_DOUBLE_EQ(top_k_recall(List{1, 1, 1}, measured, 1, Direction::maximize), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(top_k_recall(List{1, 1, 1}, measured, 2, Direction::maximize), 2.0 / 3.0);
  }
  // The first is certain, the second is one of three: the wanted 10 with chance 1/3.
  EXPECT_DOUBLE_EQ(top_k_recall(List{2, 1, 1, 1}, List{8, 5, 6, 10}, 2, Direction::maximize),
                   (1.0 + 1.0 / 3.0) / 2.0);
  // Equal measured values: either of the two nines is the other of the two best.
  EXPECT_DOUBLE_EQ(top_k_recall(List{2, 4, 3, 1}, List{10, 9, 9, 1}, 2, Direction::maximize),
                   (0.5 + 0.5) / 2.0);
}

TEST(Quality, RegretOfTiesIsExpected) {
  // One of 5, 6, 10: regrets 0.5, 0.4, 0. Two of them: the pairs have 0.4, 0, 0.
  const List measured{5, 6, 10};
  EXPECT_DOUBLE_EQ(regret_at_k(List{1, 1, 1}, measured, 1, Direction::maximize), 0.3);
  EXPECT_DOUBLE_EQ(regret_at_k(List{1, 1, 1}, measured, 2, Direction::maximize), 0.4 / 3.0);
  EXPECT_DOUBLE_EQ(regret_at_k(List{1, 1, 1}, measured, 3, Direction::maximize), 0.0);
  // The 8 is certain; beside it one of 5, 6, 10: regret 0.2, 0.2, 0.
  EXPECT_DOUBLE_EQ(regret_at_k(List{2, 1, 1, 1}, List{8, 5, 6, 10}, 2, Direction::maximize),
                   0.4 / 3.0);
}

TEST(Quality, RegretAtK) {
  const List measured{10, 9, 8, 5};
  const List predicted{2, 3, 4, 1};
  EXPECT_DOUBLE_EQ(regret_at_k(predicted, measured, 1, Direction::maximize), 0.2);  // 8 of 10
  EXPECT_DOUBLE_EQ(regret_at_k(predicted, measured, 2, Direction::maximize), 0.1);
  EXPECT_DOUBLE_EQ(regret_at_k(predicted, measured, 3, Direction::maximize), 0.0);
  // Less is better: the best is 5; the two least predicted are those of 5 and 10.
  EXPECT_DOUBLE_EQ(regret_at_k(predicted, measured, 1, Direction::minimize), 0.0);
  EXPECT_DOUBLE_EQ(regret_at_k(List{1, 2, 3, 4}, measured, 2, Direction::minimize), 0.8);
}

}  // namespace
}  // namespace cubicbench::predictor
