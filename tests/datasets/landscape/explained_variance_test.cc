#include "datasets/landscape/explained_variance.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::datasets {
namespace {

using Levels = std::vector<std::vector<std::int64_t>>;
using Value = std::function<double(std::int64_t, std::int64_t, std::int64_t)>;

/// Three parameters of four values each, drawn uniformly.
std::optional<ExplainedVariance> of(const Value& value, std::uint32_t rows = 4'000) {
  Levels levels(3);
  std::vector<double> y;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint64_t i = 0; i < 3; ++i) {
      const sim::Draw draw{.entity = i, .draw = row};
      levels[i].push_back(static_cast<std::int64_t>(sim::uniform_below(draw, 4)));
    }
    y.push_back(value(levels[0][row], levels[1][row], levels[2][row]));
  }
  return explained_variance(levels, y);
}

double number(std::int64_t of) { return static_cast<double>(of); }

TEST(ExplainedVariance, OfASumIsAllInSingles) {
  const auto share = of([](auto a, auto b, auto) { return number(a * a) + 3.0 * number(b); });
  EXPECT_NEAR(share->singles, 1.0, 1e-3);
  EXPECT_NEAR(share->pairs, 0.0, 1e-3);
}

TEST(ExplainedVariance, OfAPairThatOnlyCountsTogetherIsAllInPairs) {
  const auto share = of([](auto a, auto b, auto) { return number((a + b) % 2); });
  EXPECT_NEAR(share->singles, 0.0, 1e-2);
  EXPECT_NEAR(share->pairs, 1.0, 1e-2);
}

TEST(ExplainedVariance, OfAProductIsSharedOut) {
  // a b with a, b uniform on 0 .. 3: variance E[a^2]^2 - 1.5^4 = 3.5^2 - 5.0625 = 7.1875, and the
  // pair alone Var(a) Var(b) = 1.25^2 = 1.5625 of it.
  const auto share = of([](auto a, auto b, auto) { return number(a * b); }, 20'000);
  EXPECT_NEAR(share->pairs, 1.5625 / 7.1875, 0.02);
  EXPECT_NEAR(share->singles, 1.0 - 1.5625 / 7.1875, 0.02);
}

TEST(ExplainedVariance, OfThreeThatOnlyCountTogetherIsNothing) {
  const auto share = of([](auto a, auto b, auto c) { return number((a + b + c) % 2); });
  EXPECT_NEAR(share->singles, 0.0, 1e-2);
  EXPECT_NEAR(share->pairs, 0.0, 2e-2);
}

TEST(ExplainedVariance, OfFewRowsOrOfNoVarianceIsNotKnown) {
  EXPECT_FALSE(of([](auto a, auto, auto) { return number(a); }, 99));
  EXPECT_FALSE(of([](auto, auto, auto) { return 2.0; }));
}

}  // namespace
}  // namespace cubicbench::datasets
