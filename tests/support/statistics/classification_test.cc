#include "support/statistics/classification.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/support/statistics/stored_cases.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

/// std::vector<bool> has no elements to point to.
struct Flags {
  explicit Flags(const List& values) : flags(new bool[values.size()]), size(values.size()) {
    std::ranges::transform(values, flags.get(), [](double value) { return value != 0.0; });
  }
  std::span<const bool> span() const { return {flags.get(), size}; }

  std::unique_ptr<bool[]> flags;
  std::size_t size;
};

TEST(Classification, AreasEqualScikitLearnOnStoredCases) {
  const std::vector<StoredCase> cases = stored_cases("ranking_cases.txt");
  ASSERT_EQ(cases.size(), 200U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [scores, positive, answers] = cases[i];
    ASSERT_EQ(answers.size(), 2U);
    const Flags flags(positive);
    EXPECT_NEAR(area_under_roc(scores, flags.span()), answers[0], 1e-12);
    EXPECT_NEAR(area_under_precision_recall(scores, flags.span()), answers[1], 1e-12);
  }
}

// Scores 4 3 2 1 with positives first and third: three of four pairs are in order; precision is
// 1/1 when the first is found and 2/3 when the second is.
TEST(Classification, AreasMatchHandComputedValues) {
  const List scores{4, 3, 2, 1};
  const Flags positive(List{1, 0, 1, 0});
  EXPECT_DOUBLE_EQ(area_under_roc(scores, positive.span()), 0.75);
  EXPECT_DOUBLE_EQ(area_under_precision_recall(scores, positive.span()), 0.5 + 0.5 * 2.0 / 3.0);
}

TEST(Classification, AreasOfOneClass) {
  const List scores{1, 2};
  const Flags none(List{0, 0});
  const Flags all(List{1, 1});
  for (const Flags* flags : {&none, &all}) EXPECT_EQ(area_under_roc(scores, flags->span()), 0.5);
  EXPECT_EQ(area_under_precision_recall(scores, none.span()), 0.0);
  EXPECT_EQ(area_under_precision_recall(scores, all.span()), 1.0);
}

TEST(Classification, BrierIsTheMeanSquare) {
  const Flags positive(List{1, 0});
  EXPECT_DOUBLE_EQ(brier_score(List{0.75, 0.5}, positive.span()), (0.0625 + 0.25) / 2.0);
}

}  // namespace
}  // namespace cubicbench::support
