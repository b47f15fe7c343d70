#include "results/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/comparison/comment.h"
#include "results/comparison/comparison_document.h"
#include "results/comparison/junit.h"
#include "results/document/terminal.h"
#include "tests/results/comparison/made_up_sides.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using Scores = std::vector<std::vector<double>>;

/// Ten seeds, whose scores rise by 1 / 64 each, so that differences are exact.
Scores scores(double of_a, double of_b) {
  Scores all(2);
  for (int seed = 0; seed < 10; ++seed) {
    all[0].push_back(of_a + seed / 64.0);
    all[1].push_back(of_b + seed / 64.0);
  }
  return all;
}

Comparison compared(const Scores& after, const Terms& terms = {}) {
  const ComparedSide baseline = made_up_side("out/before", scores(0.25, 0.5));
  return compare(baseline, made_up_side("out/after", after), terms);
}

// The candidate loses 4 / 64 on one problem and 2 / 64 on the other, with every seed.
TEST(Comparison, FindsALossThatEverySeedHas) {
  const Comparison comparison = compared(scores(0.1875, 0.46875));
  EXPECT_EQ(comparison.verdict, Verdict::worse);
  EXPECT_TRUE(comparison.is_no());
  EXPECT_EQ(comparison.difference.mean, -3.0 / 64.0);
  EXPECT_EQ(comparison.difference.p, 2.0 / 1024.0);
  EXPECT_EQ(comparison.scores[0], 0.375 + 4.5 / 64.0);
  EXPECT_EQ(comparison.pairs, 20);
  EXPECT_EQ(comparison.seeds_needed, std::nullopt);
  ASSERT_EQ(comparison.problems.size(), 2U);
  EXPECT_EQ(comparison.problems[0].shift, -4.0 / 64.0);
  // Wilcoxon's two-sided p of ten losses is 2 / 1024, and there are two problems.
  EXPECT_NEAR(comparison.problems[0].p_holm, 4.0 / 1024.0, 1e-12);
  // Of 100 pairs of a seed i and j, those with i - 4 > j: 5 + 4 + 3 + 2 + 1, and six
  // ties.
  EXPECT_NEAR(comparison.problems[0].superiority.a12, 0.18, 1e-9);
  EXPECT_NEAR(comparison.contributions[0].difference.mean, -3.0 / 64.0, 1e-12);
  EXPECT_NEAR(comparison.contributions[1].difference.mean, 0.0, 1e-12);
  EXPECT_NEAR(comparison.contributions[3].difference.mean, 0.0, 1e-12);
}

TEST(Comparison, CallsWhatIsTheSameNotWorse) {
  EXPECT_EQ(compared(scores(0.25, 0.5)).verdict, Verdict::not_worse);
  EXPECT_EQ(compared(scores(0.25, 0.5), {.question = Question::better}).verdict,
            Verdict::not_worse);
  EXPECT_EQ(compared(scores(0.3125, 0.5)).verdict, Verdict::better);
}

TEST(Comparison, SaysHowManySeedsWouldDecide) {
  Scores after = scores(0.25, 0.5);
  for (std::size_t seed = 0; seed < 10; ++seed) after[0][seed] += seed % 2 == 0 ? 0.2 : -0.2;
  const Comparison comparison = compared(after);
  EXPECT_EQ(comparison.verdict, Verdict::undecided);
  ASSERT_TRUE(comparison.seeds_needed);
  EXPECT_THAT(verdict_sentence(comparison),
              HasSubstr("About " + std::to_string(*comparison.seeds_needed / 1000) + ","));
}

TEST(Comparison, HasTheJsonOfTheContract) {
  const nlohmann::ordered_json document = comparison_json(compared(scores(0.1875, 0.46875)));
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_THAT(std::vector<std::string>(keys.begin(), keys.begin() + 9),
              testing::ElementsAre("schema", "version", "question", "verdict", "score", "power",
                                   "problems", "pairs", "seeds_needed"));
  EXPECT_EQ(document.at("question"), "not-worse");
  EXPECT_EQ(document.at("verdict"), "worse");
  EXPECT_EQ(document.at("score").at("p"), 2.0 / 1024.0);
  EXPECT_TRUE(document.at("seeds_needed").is_null());
  EXPECT_EQ(document.at("problems")[1].at("scenario"), "b");
  EXPECT_EQ(document.at("contributions").size(), 4U);
}

TEST(Comparison, TellsPeopleTheVerdictFirst) {
  const Document document = comparison_document(compared(scores(0.1875, 0.46875)));
  EXPECT_THAT(terminal_text(document),
              testing::StartsWith("Worse: the candidate loses score. Difference -4.69 % ("));
}

TEST(Comparison, FailsOneCaseOfJUnit) {
  const std::string worse = junit_text(compared(scores(0.1875, 0.46875)));
  EXPECT_THAT(worse,
              HasSubstr("<testsuites tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\">"));
  EXPECT_THAT(worse, HasSubstr("<testcase classname=\"cubicbench.compare\" name=\"not-worse\">\n"
                               "      <failure message=\"Worse: "));
  const std::string same = junit_text(compared(scores(0.25, 0.5)));
  EXPECT_THAT(same, HasSubstr("failures=\"0\""));
  EXPECT_THAT(same, testing::Not(HasSubstr("<failure")));
}

TEST(Comparison, CommentsInFifteenLines) {
  for (const std::size_t problems : {1U, 2U, 16U, 21U}) {
    const ComparedSide side = made_up_side("out", Scores(problems, std::vector<double>(10, 0.5)));
    const std::string text = comment_text(compare(side, side, {}));
    EXPECT_LE(std::ranges::count(text, '\n'), comment_lines_max) << problems;
    EXPECT_TRUE(text.starts_with("**Not worse**: ")) << text;
  }
}

TEST(Comparison, DrawsSparklines) {
  const std::vector<double> values{-0.2, -0.1, 0.0, 0.05, 0.1, 0.5};
  EXPECT_EQ(sparkline(values, 0.1), "\u2581\u2581\u2584\u2586\u2588\u2588");
}

}  // namespace
}  // namespace cubicbench::results
