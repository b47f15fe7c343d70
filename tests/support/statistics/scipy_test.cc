#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/statistics/distributions.h"
#include "support/statistics/friedman.h"
#include "support/statistics/hodges_lehmann.h"
#include "support/statistics/interquartile_mean.h"
#include "support/statistics/mann_whitney.h"
#include "support/statistics/superiority.h"
#include "support/statistics/wilcoxon.h"
#include "tests/support/statistics/stored_cases.h"

namespace cubicbench::support {
namespace {

// The files are what scripts/statistics_cases.py wrote with SciPy 1.10.1.
constexpr double tolerance = 1e-10;
constexpr double level = 0.95;

TEST(StoredAnswers, OfWilcoxonTheCentreAndTheTrimmedMean) {
  const std::vector<StoredCase> cases = stored_cases("wilcoxon_cases.txt");
  ASSERT_EQ(cases.size(), 1000U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [differences, ranked, answers] = cases[i];
    ASSERT_EQ(answers.size(), 5U);
    const RankTest test =
        wilcoxon_signed_rank(differences, ranked.front() == 1.0 ? Zeros::ranked : Zeros::dropped);
    EXPECT_NEAR(test.statistic, answers[0], tolerance);
    EXPECT_NEAR(test.p_less, answers[1], tolerance);
    EXPECT_NEAR(test.p_greater, answers[2], tolerance);
    EXPECT_NEAR(centre_of_differences(differences, level).shift, answers[3], tolerance);
    EXPECT_NEAR(interquartile_mean(differences), answers[4], tolerance);
  }
}

TEST(StoredAnswers, OfMannWhitneyTheShiftAndCliffsDelta) {
  const std::vector<StoredCase> cases = stored_cases("mann_whitney_cases.txt");
  ASSERT_EQ(cases.size(), 1000U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [a, b, answers] = cases[i];
    ASSERT_EQ(answers.size(), 6U);
    const RankTest test = mann_whitney(a, b);
    EXPECT_NEAR(test.statistic, answers[0], tolerance);
    EXPECT_NEAR(test.p_less, answers[1], tolerance);
    EXPECT_NEAR(test.p_greater, answers[2], tolerance);
    EXPECT_NEAR(shift_between(a, b, level).shift, answers[3], tolerance);
    EXPECT_NEAR(superiority(a, b, level).variance, answers[4], tolerance);
    EXPECT_NEAR(cliffs_delta(a, b), answers[5], tolerance);
  }
}

TEST(StoredAnswers, OfFriedmanAndWhatFollowsIt) {
  const std::vector<StoredCase> cases = stored_cases("friedman_cases.txt");
  ASSERT_EQ(cases.size(), 1000U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [values, treatments, answers] = cases[i];
    ASSERT_EQ(answers.size(), 6U);
    const auto k = static_cast<std::ptrdiff_t>(treatments.front());
    std::vector<std::vector<double>> blocks;
    for (auto at = values.begin(); at != values.end(); at += k) blocks.emplace_back(at, at + k);
    const FriedmanTest test = friedman(blocks);
    EXPECT_NEAR(test.chi_squared, answers[0], 1e-9);
    EXPECT_NEAR(test.p_chi_squared, answers[1], tolerance);
    EXPECT_NEAR(test.f, answers[2], 1e-9 * (1.0 + answers[2]));
    EXPECT_NEAR(test.p_f, answers[3], tolerance);
    EXPECT_NEAR(nemenyi(test)[0][1], answers[4], tolerance);
    EXPECT_NEAR(friedman_holm(test, 0)[1], answers[5], tolerance);
  }
}

TEST(StoredAnswers, OfTailsOfDistributions) {
  const std::vector<StoredCase> cases = stored_cases("distribution_cases.txt");
  ASSERT_EQ(cases.size(), 1000U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [x, range, answers] = cases[i];
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_NEAR(chi_squared_tail(x[0], x[2]), answers[0], tolerance);
    EXPECT_NEAR(f_tail(x[1], x[2], x[3]), answers[1], tolerance);
    EXPECT_NEAR(normal_range_tail(range[0], static_cast<int>(range[1])), answers[2], tolerance);
  }
}

}  // namespace
}  // namespace cubicbench::support
