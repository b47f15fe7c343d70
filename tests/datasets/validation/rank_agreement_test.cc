#include "datasets/validation/rank_agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/philox.h"
#include "tests/datasets/validation/made_rows.h"
#include "tests/datasets/validation/made_up_validation.h"

namespace cubicbench::datasets {
namespace {

RankAgreement agreement_of(const std::vector<ValidatedRow>& rows) {
  return rank_agreement(all_rows(rows));
}

/// Measured 1 to 5, simulated as given.
std::vector<ValidatedRow> five(const std::string& family, const std::array<double, 5>& simulated) {
  std::vector<ValidatedRow> rows;
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    rows.push_back(timed_row(family, static_cast<double>(i + 1), simulated[i]));
  }
  return rows;
}

TEST(RankAgreement, OfOneGroupIsCountedByHand) {
  struct Case {
    const char* name;
    std::array<double, 5> simulated;
    double tau, pairs, top1_ratio, top1_share;
  };
  // Ten pairs. Tau-b divides by the square root of 10 times the pairs that simulation does not tie.
  for (const Case& c :
       {Case{"the same order", {10, 20, 30, 40, 50}, 1.0, 1.0, 1.0, 1.0},
        Case{"turned round", {5, 4, 3, 2, 1}, -1.0, -1.0, 0.2, 0.0},
        Case{"the best two swapped", {1, 2, 3, 5, 4}, 0.8, 0.8, 0.8, 0.0},
        Case{"the best two tie", {1, 2, 3, 4, 4}, 9.0 / std::sqrt(90.0), 0.9, 0.9, 0.5},
        Case{"all tie", {1, 1, 1, 1, 1}, 0.0, 0.0, 0.6, 0.2}}) {
    SCOPED_TRACE(c.name);
    const RankAgreement agreement = agreement_of(five("f", c.simulated));
    EXPECT_EQ(agreement.groups, 1);
    EXPECT_NEAR(*agreement.kendall_median, c.tau, 1e-12);
    EXPECT_NEAR(*agreement.pair_kendall_5pct, c.pairs, 1e-12);
    EXPECT_NEAR(*agreement.top1_ratio, c.top1_ratio, 1e-12);
    EXPECT_NEAR(*agreement.top1_share, c.top1_share, 1e-12);
  }
}

TEST(RankAgreement, PairsWithinFivePercentDoNotCountAsClear) {
  // 100, 104 and 200, 206 are too near; 4 clear pairs are too few, a fifth row makes 8 of them.
  std::vector<ValidatedRow> rows{timed_row("f", 100, 2), timed_row("f", 104, 1),
                                 timed_row("f", 200, 4), timed_row("f", 206, 3)};
  EXPECT_EQ(agreement_of(rows).pair_kendall_5pct, std::nullopt);
  rows.push_back(timed_row("f", 400, 5));
  EXPECT_EQ(agreement_of(rows).pair_kendall_5pct, 1.0);
  EXPECT_NEAR(*agreement_of(rows).kendall_median, 0.6, 1e-12);  // 8 of 10 pairs right
}

TEST(RankAgreement, SmallGroupsAndRowsWithoutATimeAreNotRanked) {
  std::vector<ValidatedRow> rows = five("f", {1, 2, 3, 4, 5});
  rows.back().rel_error.reset();  // four are left: six clear pairs, and too few rows for the rest
  const RankAgreement agreement = agreement_of(rows);
  EXPECT_EQ(agreement.groups, 0);
  EXPECT_EQ(agreement.kendall_median, std::nullopt);
  EXPECT_EQ(agreement.top1_ratio, std::nullopt);
  EXPECT_EQ(agreement.top1_share, std::nullopt);
  EXPECT_EQ(agreement.pair_kendall_5pct, 1.0);
}

TEST(RankAgreement, SizesOfACollectiveAreNoChoices) {
  std::vector<ValidatedRow> rows = five("f", {1, 2, 3, 4, 5});
  for (ValidatedRow& row : rows) row.kind = RowKind::collective;
  EXPECT_EQ(agreement_of(rows).groups, 0);
  EXPECT_EQ(agreement_of(rows).pair_kendall_5pct, std::nullopt);
}

TEST(RankAgreement, GroupsCountAlikeHoweverLarge) {
  std::vector<ValidatedRow> rows = five("a", {1, 2, 3, 4, 5});
  for (const std::string& turned : {std::string("b"), std::string("c")}) {
    const std::vector<ValidatedRow> more = five(turned, {5, 4, 3, 2, 1});
    rows.insert(rows.begin(), more.begin(), more.end());
  }
  const RankAgreement agreement = agreement_of(rows);
  EXPECT_EQ(agreement.groups, 3);
  EXPECT_EQ(agreement.kendall_median, -1.0);  // of 1, -1, -1
  EXPECT_EQ(agreement.pair_kendall_5pct, -1.0);
  EXPECT_NEAR(*agreement.top1_ratio, (1.0 + 0.2 + 0.2) / 3.0, 1e-12);
  EXPECT_NEAR(*agreement.top1_share, 1.0 / 3.0, 1e-12);
}

/// Tau-b and the clear pairs of one group, by the definition.
struct Slow {
  double tau = 0.0;
  double clear = 0.0;
};

Slow slow_reference(const std::vector<ValidatedRow>& rows) {
  double balance = 0.0;
  double untied_measured = 0.0;
  double untied_simulated = 0.0;
  double clear_balance = 0.0;
  double clear_pairs = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double x = *rows[i].throughput_measured - *rows[j].throughput_measured;
      const double y = *rows[i].throughput_simulated - *rows[j].throughput_simulated;
      const double sign = x * y > 0.0 ? 1.0 : (x * y < 0.0 ? -1.0 : 0.0);
      balance += sign;
      untied_measured += x == 0.0 ? 0.0 : 1.0;
      untied_simulated += y == 0.0 ? 0.0 : 1.0;
      const auto [least, most] =
          std::minmax(*rows[i].throughput_measured, *rows[j].throughput_measured);
      if (most / least > 1.05) {
        clear_balance += sign;
        clear_pairs += 1.0;
      }
    }
  }
  return {.tau = balance / std::sqrt(untied_measured * untied_simulated),
          .clear = clear_balance / clear_pairs};
}

TEST(RankAgreement, MatchesTheDefinitionOnRandomGroups) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<ValidatedRow> rows;
    for (std::uint64_t i = 0; i < 5 + seed; ++i) {
      // Few values, so that many pairs tie; 20 to 27 holds pairs on both sides of 5 %.
      const auto index = static_cast<std::uint32_t>(i);
      const auto drawn = sim::philox4x32({index, 0, 0, 0}, {static_cast<std::uint32_t>(seed), 0});
      rows.push_back(timed_row("f", 20.0 + drawn[0] % 8, 1.0 + drawn[1] % 6));
    }
    const RankAgreement agreement = agreement_of(rows);
    const Slow slow = slow_reference(rows);
    EXPECT_NEAR(*agreement.kendall_median, slow.tau, 1e-12);
    if (agreement.pair_kendall_5pct) {
      EXPECT_NEAR(*agreement.pair_kendall_5pct, slow.clear, 1e-12);
    }
  }
}

TEST(RankedGroups, HaveTauAndTheRowPutFirst) {
  const Validation validation = made_up_validation();
  const std::vector<RankedGroup> groups = ranked_groups(all_rows(validation.rows));
  ASSERT_EQ(groups.size(), 1U);  // the ladder's has two timed rows, collectives have none
  EXPECT_EQ(groups[0].group, "model|8");
  EXPECT_EQ(groups[0].rows, 5);
  // Measured, fastest first: 1, 4, 2, 3, 5. Simulated: 4, 1, 2, 5, 3. Of ten pairs (1, 4) and
  // (3, 5) stand the other way round: (8 - 2) / 10.
  EXPECT_NEAR(groups[0].tau, 0.6, 1e-12);
  EXPECT_NEAR(groups[0].top1_ratio, 1.0 / 1.25, 1e-12);  // run4 over a&b
}

TEST(RankedGroups, ShareTheFirstPlace) {
  Validation validation = made_up_validation();
  validation.rows[0].throughput_simulated = validation.rows[3].throughput_simulated;
  EXPECT_NEAR(ranked_groups(all_rows(validation.rows))[0].top1_ratio, 0.9,
              1e-12);  // mean of 1 and 0.8
}

/// The summary computes the same from the rows by itself.

}  // namespace
}  // namespace cubicbench::datasets
