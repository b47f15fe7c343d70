#include "results/comparison/paired_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "support/input_error.h"
#include "tests/results/comparison/made_up_sides.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

const ComparedSide before = made_up_side("before", {{0.1, 0.2}, {0.3, 0.4}});

std::string refusal(const ComparedSide& candidate) {
  try {
    paired_scores(before, candidate);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PairedScores, AreDifferencesOfEachSeed) {
  const ComparedSide after = made_up_side("after", {{0.2, 0.2}, {0.3, 0.7}});
  const PairedScores pairs = paired_scores(before, after);
  EXPECT_EQ(pairs.seeds, (std::vector<std::int64_t>{0, 1}));
  const std::vector<double> means = pairs.mean_differences(&StudyNumbers::score);
  EXPECT_NEAR(means[0], 0.05, 1e-15);
  EXPECT_NEAR(means[1], 0.15, 1e-15);
  EXPECT_NEAR(pairs.mean(&PairedScores::Problem::candidate, &StudyNumbers::score), 0.35, 1e-15);
  EXPECT_TRUE(pairs.notes.empty());
}

TEST(PairedScores, TakeTheSeedsAndProblemsOfBoth) {
  const ComparedSide after = made_up_side("after", {{0.2, 0.2, 0.9}});
  const PairedScores pairs = paired_scores(before, after);
  EXPECT_EQ(pairs.problems.size(), 1U);
  EXPECT_EQ(pairs.seeds.size(), 2U);
  EXPECT_THAT(
      pairs.notes,
      testing::ElementsAre("Left out, as only before has it: b.",
                           "Left out of after: 1 seed that not every problem has on both sides."));
}

TEST(PairedScores, RefuseWhatCannotBeCompared) {
  struct Case {
    const char* name;
    std::function<void(ComparedSide&)> change;
    const char* message;
  };
  for (const Case& c :
       {Case{"truth", [](ComparedSide& side) { side.problems[1].truth_sha256 = "x"; },
             "after: expected the truth_sha256 of before for b, got another: their results cannot "
             "be compared; this makes it anew: cubicbench search a b --out before"},
        Case{"scenario", [](ComparedSide& side) { side.problems[0].scenario_sha256 = "x"; },
             "after: expected the scenario_sha256 of before for a, got another"},
        Case{"version", [](ComparedSide& side) { side.version = "2.0.0"; },
             "after: expected studies of version 1.0.0, as before has, got version 2.0.0"},
        Case{"budget", [](ComparedSide& side) { side.problems[0].trials = 11; },
             "after: expected a budget of 10 launches for a, as before has, got 11"},
        Case{"problems", [](ComparedSide& side) { side.problems.clear(); },
             "after: expected a problem that before has too, got none"},
        Case{"seeds", [](ComparedSide& side) { side.problems[0].seeds.clear(); },
             "after: expected a seed that every problem has on both sides, got none"}}) {
    SCOPED_TRACE(c.name);
    ComparedSide after = made_up_side("after", {{0.2, 0.2}, {0.3, 0.7}});
    c.change(after);
    EXPECT_THAT(refusal(after), HasSubstr(c.message));
  }
}

TEST(PairedScores, NoteSettingsThatDiffer) {
  ComparedSide after = before;
  after.name = "after";
  after.start = "none";
  after.is_warm = true;
  EXPECT_THAT(paired_scores(before, after).notes,
              testing::ElementsAre(
                  "The sides differ in --start: baseline and none.",
                  "The sides differ in --warm-start: told nothing and told launches first."));
}

}  // namespace
}  // namespace cubicbench::results
