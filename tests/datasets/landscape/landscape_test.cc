#include "datasets/landscape/landscape.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>

#include "datasets/landscape/total_effects.h"
#include "tests/datasets/landscape/made_up_judge.h"
#include "tests/golden_files.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

Landscape of(const SearchSpace& space, const LogValue& log_value, LandscapeQuestion question = {}) {
  return landscape_of(space, made_up_judge(space, log_value), question);
}

struct Effects {
  double main;
  double total;
};

void expect_effects(const Landscape& landscape, const std::vector<Effects>& expected) {
  ASSERT_EQ(landscape.importance.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(*landscape.importance[i].main, expected[i].main, 1e-12) << i;
    EXPECT_NEAR(*landscape.importance[i].total, expected[i].total, 1e-12) << i;
  }
}

TEST(Landscape, EffectsOfASumAreTheSharesOfItsTerms) {
  // 0 ... n - 1, each equally likely, have the variance (n^2 - 1) / 12: 15, 63 and 3 twelfths.
  const Landscape landscape = of(search::box(), [](const Configuration& c) {
    return std::optional(static_cast<double>(c[0] + c[1] + c[2]));
  });
  EXPECT_TRUE(landscape.exhaustive());
  EXPECT_NEAR(*landscape.log_variance, 81.0 / 12.0, 1e-12);
  expect_effects(landscape, {{15.0 / 81, 15.0 / 81}, {63.0 / 81, 63.0 / 81}, {3.0 / 81, 3.0 / 81}});
  EXPECT_EQ(largest_main(landscape), &landscape.importance[1]);
}

TEST(Landscape, WhatOnlyTheTogetherOfTwoDecidesIsAllInTheirTotals) {
  // exclusive or of the first one's parity and the last: neither says anything alone
  const Landscape landscape = of(search::box(), [](const Configuration& c) {
    return std::optional(static_cast<double>((c[0] + c[2]) % 2));
  });
  expect_effects(landscape, {{0, 1}, {0, 0}, {0, 1}});
}

TEST(Landscape, AProductIsPartlyEither) {
  // (1 + x)(1 + y) on {0, 1}: 1, 2, 2, 4, mean 2.25, variance 1.1875. Means of x: 1.5 and 3:
  // 0.5625. Variance with x held: 0.25 and 1, mean 0.625.
  const SearchSpace space = search::built(
      {search::ordinal("tensor_parallel", {1, 2}), search::ordinal("micro_batch", {1, 2})});
  const Landscape landscape = of(space, [](const Configuration& c) {
    return std::optional(static_cast<double>((1 + c[0]) * (1 + c[1])));
  });
  expect_effects(landscape, {{0.5625 / 1.1875, 0.625 / 1.1875}, {0.5625 / 1.1875, 0.625 / 1.1875}});
}

/// Every configuration that a landscape asks about: the rows that it draws, its climbs, the
/// redraws.
std::string asked_text(const SearchSpace& space, std::uint64_t rows) {
  const Judge judge = made_up_judge(space, [](const Configuration& c) {
    return c[0] == 3 && c.back() > 0
               ? std::nullopt
               : std::optional(0.1 * static_cast<double>(c[0] + c[1] * c.back()));
  });
  std::string text = std::to_string(rows) + " rows of " + std::to_string(space.count()) + "\n";
  const Judge recorder = [&](std::span<const std::uint64_t> numbers) {
    text += "asked:";
    for (const std::uint64_t number : numbers) text += " " + std::to_string(number);
    text += "\n";
    return judge(numbers);
  };
  landscape_of(space, recorder, {.rows = rows});
  return text;
}

TEST(Landscape, DrawsWhatTheGoldenHas) {
  expect_golden("landscape_draws.txt",
                asked_text(search::conditional(), 5) + asked_text(search::labelled(), 30));
}

/// pipeline 1, or pipeline 2 with one to three virtual stages: four configurations.
SearchSpace staged() {
  return search::built(
      {search::ordinal("pipeline_parallel", {1, 2}),
       search::ordinal("virtual_stages", {1, 2, 3}, {{"pipeline_parallel", {2}}})});
}

TEST(Landscape, AParameterThatActivatesAnotherHasItsEffect) {
  // 0 in one configuration of four, else 1, whatever the virtual stages. That they are inactive
  // says as much as the pipeline; redrawing them changes nothing.
  const Landscape landscape =
      of(staged(), [](const Configuration& c) { return std::optional(c[0] == 0 ? 0.0 : 1.0); });
  EXPECT_NEAR(*landscape.log_variance, 3.0 / 16.0, 1e-12);
  expect_effects(landscape, {{1, 1}, {1, 0}});
  EXPECT_EQ(landscape.importance[1].levels, 4U);
}

TEST(Redraws, BringOutWhatAnInactiveParameterHides) {
  const SearchSpace space = staged();
  const Configuration one{0, scenarios::inactive};
  const Configuration held{0, 2};
  const std::uint64_t three = space.number_of(Configuration{1, 2});
  // pipeline 1 hides three values, each a third as likely as pipeline 2 with that value
  EXPECT_EQ(redraws(space, one, held, 0),
            (std::vector<Redraw>{{space.number_of(one), 1.0 / 3.0}, {three, 1.0}}));
  EXPECT_EQ(redraws(space, one, held, 1), std::vector<Redraw>{});
  EXPECT_EQ(redraws(space, Configuration{1, 2}, Configuration{1, 2}, 1).size(), 3U);
}

TEST(Redraws, LeaveOutWhatAConstraintRejects) {
  const SearchSpace space = search::diagonal();
  Configuration configuration(space.size());
  space.configuration_at(5, configuration);
  for (std::size_t i = 0; i < space.size(); ++i) {
    EXPECT_EQ(redraws(space, configuration, configuration, i), (std::vector<Redraw>{{5, 1.0}}));
  }
}

TEST(Landscape, EffectsAreOfWhatRuns) {
  // Tensors 2 and 3 do not fit, and where the last parameter is 1 nor do odd micro-batches. What
  // fits is worth 0 or 1 by its tensors, so redrawing those is all that changes anything.
  const Landscape landscape = of(search::box(), [](const Configuration& c) {
    const bool runs = c[0] < 2 && (c[2] == 0 || c[1] % 2 == 0);
    return runs ? std::optional(static_cast<double>(c[0])) : std::nullopt;
  });
  EXPECT_EQ(landscape.running(), 2U * (8U + 4U));
  EXPECT_EQ(landscape.ends[1], 64U - 24U);
  expect_effects(landscape, {{1, 1}, {0, 0}, {0, 0}});
  EXPECT_EQ(landscape.importance[0].levels, 2U);
}

TEST(Landscape, RanksAndQuantilesAreThoseOfTheRows) {
  // 64 configurations worth e^0 ... e^63 in order of their numbers
  const SearchSpace space = search::box();
  const auto by_number = [&](const Configuration& c) {
    return std::optional(static_cast<double>(space.number_of(c)));
  };
  LandscapeQuestion question{.baseline = {.value = sim::exp(47.5)}, .baseline_number = 3};
  const Landscape most = of(space, by_number, question);
  EXPECT_EQ(most.rows, 64U);
  EXPECT_EQ(most.share_better, 16.0 / 64.0);
  EXPECT_EQ(*most.best_drawn, sim::exp(63.0));
  EXPECT_EQ(most.best_known->number, 63U);
  EXPECT_DOUBLE_EQ(most.median(), (sim::exp(31.0) + sim::exp(32.0)) / 2.0);
  question.direction = scenarios::Direction::minimize;
  const Landscape least = of(space, by_number, question);
  EXPECT_EQ(least.share_better, 48.0 / 64.0);
  EXPECT_EQ(least.best_known->number, 0U);
}

TEST(Landscape, WhereNothingRunsIsAnAnswer) {
  const Landscape landscape =
      of(search::box(), [](const Configuration&) { return std::optional<double>(); });
  EXPECT_EQ(landscape.running(), 0U);
  EXPECT_FALSE(landscape.quantiles);
  EXPECT_FALSE(landscape.share_better);
  EXPECT_FALSE(landscape.best_known);
  EXPECT_EQ(largest_main(landscape), nullptr);
}

TEST(Landscape, OfOneConfigurationHasNoEffects) {
  const Landscape landscape =
      of(search::single(), [](const Configuration&) { return std::optional(0.0); });
  EXPECT_EQ(landscape.configurations, 1U);
  EXPECT_EQ(landscape.best_known->value, 1.0);
  EXPECT_FALSE(landscape.importance.front().main);
  EXPECT_FALSE(landscape.importance.front().total);
}

TEST(Landscape, ASampleIsNearTheWhole) {
  // sum of eight parameters of eight values: each has an eighth; 2^24 configurations
  const Landscape landscape = of(search::wide_box(), [](const Configuration& c) {
    double sum = 0.0;
    for (const std::int64_t value : c) sum += static_cast<double>(value);
    return std::optional(sum);
  });
  EXPECT_EQ(landscape.rows, 20'000U);
  EXPECT_FALSE(landscape.exhaustive());
  for (const Importance& importance : landscape.importance) {
    EXPECT_NEAR(*importance.main, 0.125, 0.02);  // four standard errors
    EXPECT_NEAR(*importance.total, 0.125, 0.005);
  }
  EXPECT_NEAR(sim::log(landscape.best_known->value), 56.0, 1e-9);
}

}  // namespace
}  // namespace cubicbench::datasets
