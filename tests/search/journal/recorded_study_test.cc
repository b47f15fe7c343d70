#include "search/journal/recorded_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/journal/study_log.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;

JournalHeader header(std::int64_t slots) {
  JournalHeader made;
  made.version = "1";
  made.scenario = "eight";
  made.slots = slots;
  made.searcher = "client";
  made.backend = "simulator";
  made.telling = "reason";
  made.trials = 9;
  return made;
}

std::string journal(std::int64_t slots, const std::vector<std::int64_t>& trials) {
  std::string text = journal_text(header(slots));
  for (const std::int64_t trial : trials) {
    JournalLine line;
    line.trial = trial;
    line.config = {{"a", std::to_string(trial)}};
    line.outcome.state = scenarios::TrialState::complete;
    line.outcome.value = 1.0;
    text += journal_text(line);
  }
  return text;
}

TEST(RecordedStudy, HasTheConfigurationOfEachTrialAndWhatWasRecommended) {
  const TemporaryFolder folder;
  EXPECT_TRUE(recorded_study(folder / "none").configs.empty());
  write_text(folder / "j", journal(1, {0, 1}) + recommendation_text({{"a", "1"}}));
  const RecordedStudy recorded = recorded_study(folder / "j");
  EXPECT_EQ(recorded.launches, 2);
  EXPECT_EQ(recorded.configs.at(1), (ConfigText{{"a", "1"}}));
  EXPECT_EQ(recorded.recommended, (ConfigText{{"a", "1"}}));
}

TEST(RecordedStudy, HasNoGapWhereOneIsLaunchedAfterTheOther) {
  const TemporaryFolder folder;
  write_text(folder / "two", journal(2, {0, 2}));  // trial 1 still ran when it was killed
  EXPECT_EQ(recorded_study(folder / "two").configs.size(), 2U);
  write_text(folder / "one", journal(1, {0, 2}));
  try {
    recorded_study(folder / "one");
    ADD_FAILURE() << "accepted";
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("one: expected a line of trial 1, got none before trial 2"));
  }
}

TEST(StudyLog, MissesNoLaunchThatTheTruthKnows) {
  const TemporaryFolder folder;
  std::string truth = truth_text(header(1));
  const auto check = [&] {
    write_text(folder / "t", truth);
    StudyLog log({folder / "j"}, header(1), false);
    log.keep_truth({folder / "t"}, header(1), false);
    log.require_every_launch(log.recorded());
  };
  write_text(folder / "j", journal(1, {0}));
  for (std::int64_t trial = 0; trial < 2; ++trial) {
    truth += truth_text(TruthLine{.trial = trial, .truth = {.value = 1.0}});
    EXPECT_NO_THROW(check());
  }
  truth += truth_text(TruthLine{.trial = 2, .truth = {.value = 1.0}});
  EXPECT_THROW(check(), support::InputError);
  std::filesystem::remove(folder / "j");
  EXPECT_THROW(check(), support::InputError);
}

}  // namespace
}  // namespace cubicbench::search
