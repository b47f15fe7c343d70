#include "predictor/neural/mlp_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "predictor/neural/losses.h"
#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

using datasets::Column;
using datasets::ColumnKind;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

TEST(MlpInput, StandardisesNumbersAndCountsLevelsSeen) {
  const std::vector<Column> columns{
      {.name = "size"},
      {.name = "same"},
      {.name = "rare"},
      {.name = "kind", .kind = ColumnKind::category, .levels = {"a", "b", "c"}}};
  // Sizes 1 and 3: mean 2, deviation 1. Column "same" says nothing, level b was never seen.
  const std::vector<double> cells{1, 5, nothing, 2, 3, 5, 7, 0};
  const MlpInput input(columns, cells);
  ASSERT_EQ(input.numbers(), 3U);
  ASSERT_EQ(input.categories().size(), 1U);
  EXPECT_EQ(input.categories()[0].vectors, 2U);
  std::array<float, 3> numbers{};
  std::array<std::int32_t, 1> vectors{};
  input.write(std::array{3.0, 5.0, nothing, 2.0}, numbers, vectors);
  EXPECT_EQ(numbers, (std::array{1.0F, 0.0F, 1.0F}));
  EXPECT_EQ(vectors[0], 0);  // level c came first
  input.write(std::array{90.0, 4.0, 8.0, 1.0}, numbers, vectors);
  EXPECT_EQ(numbers, (std::array{3.0F, 0.0F, 0.0F}));  // no further than three deviations
  EXPECT_EQ(vectors[0], MlpInput::unseen);
}

/// A loss of the whole network, as a function of its parameters.
class Problem {
 public:
  Problem() : pass_(shape()) {
    const MlpShape sizes = shape();
    rows_.rows = row_count;
    for (std::size_t i = 0; i < row_count; ++i) {
      for (std::size_t k = 0; k < sizes.numbers; ++k) rows_.numbers.push_back(draw());
      rows_.vectors.push_back(static_cast<std::int32_t>(i % 4) - 1);  // the first unseen
      rows_.vectors.push_back(static_cast<std::int32_t>(i % 2));
      targets_.push_back(draw());
    }
    for (std::size_t i = 0; i < row_count; ++i) batch_.push_back((i * 5) % row_count);
  }

  static MlpShape shape() {
    return {.numbers = 3, .vectors = {3, 2}, .widths = {2, 1}, .hidden = 6};
  }

  float loss(std::span<const float> parameters) {
    pass_.forward(parameters, rows_, batch_, scores_);
    return squared_loss(scores_, targets_, slopes_);
  }

  void gradient(std::span<const float> parameters, std::span<float> gradient) {
    loss(parameters);
    pass_.backward(parameters, rows_, batch_, slopes_, gradient);
  }

 private:
  static constexpr std::size_t row_count = 12;

  float draw() { return static_cast<float>(sim::standard_normal({.seed = 3, .draw = next_++})); }

  std::uint32_t next_ = 0;
  MlpRows rows_;
  std::vector<float> targets_;
  std::vector<std::size_t> batch_;
  std::vector<float> scores_ = std::vector<float>(row_count);
  std::vector<float> slopes_ = std::vector<float>(row_count);
  MlpPass pass_;
};

TEST(MlpPass, GradientIsThatOfFiniteDifferences) {
  Problem problem;
  const std::vector<float> parameters = first_weights(Problem::shape(), 7, 0);
  std::vector<float> gradient(parameters.size());
  problem.gradient(parameters, gradient);
  int checked = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto slope_over = [&](float step) {
      std::vector<float> there = parameters;
      there[i] = parameters[i] + step;
      const double high = static_cast<double>(problem.loss(there));
      there[i] = parameters[i] - step;
      return (high - static_cast<double>(problem.loss(there))) / (2.0 * static_cast<double>(step));
    };
    // Where two step sizes disagree, a rectifier bends in between.
    const double slope = slope_over(2e-3F);
    if (std::abs(slope - slope_over(4e-3F)) > 2e-3) continue;
    ++checked;
    EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 2e-3) << i;
  }
  EXPECT_GT(checked, static_cast<int>(parameters.size()) * 8 / 10);
}

TEST(MlpPass, ScoresByHand) {
  // One number x = 2, one hidden unit each: 1.5 x - 1 = 2, then -2 x 2 + 5 = 1, then 4 x 1 + 0.5.
  const MlpShape shape{.numbers = 1, .vectors = {}, .widths = {}, .hidden = 1};
  ASSERT_EQ(shape.parameters(), 6U);
  const std::vector<float> parameters{1.5F, -1.0F, -2.0F, 5.0F, 4.0F, 0.5F};
  const MlpRows rows{.rows = 2, .numbers = {2.0F, 9.0F}, .vectors = {}};
  MlpPass pass(shape);
  std::array<float, 2> scores{};
  pass.forward(parameters, rows, std::array<std::size_t, 2>{0, 1}, scores);
  EXPECT_FLOAT_EQ(scores[0], 4.5F);
  EXPECT_FLOAT_EQ(scores[1], 0.5F);  // the second rectifier is shut
}

}  // namespace
}  // namespace cubicbench::predictor
