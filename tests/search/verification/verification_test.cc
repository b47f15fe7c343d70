#include "search/verification/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/folder/campaign.h"
#include "search/folder/finished_studies.h"
#include "search/folder/search_folder.h"
#include "search/verification/stated_recommendation.h"
#include "sim/base/philox.h"
#include "support/files.h"
#include "support/input_error.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

SearchPlan plan_of(std::int64_t slots, std::vector<std::string> searchers) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario("tiny-llama"));
  for (const std::string& name : searchers) plan.searchers.push_back(parse_searcher(name, ""));
  plan.trials = 12;
  plan.seeds = 2;
  plan.slots = slots;
  plan.start = Start::baseline;
  return plan;
}

void search_into(const fs::path& folder, const SearchPlan& plan) {
  run_search(plan, {.out = folder, .threads = 1});
}

Verification verified(const fs::path& folder) {
  return verify_search({.folder = folder, .threads = 1});
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  const std::string text = read_text(file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

void write_lines(const fs::path& file, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  write_text(file, text);
}

TEST(Verify, FindsNothingInASearch) {
  for (const std::int64_t slots : {1, 3}) {
    const TemporaryFolder folder;
    search_into(folder / "s", plan_of(slots, {"random", "evolution", "first-value"}));
    const Verification verification = verified(folder / "s");
    EXPECT_TRUE(verification.differences.empty())
        << slots << verification.differences.front().study << verification.differences.front().what;
    EXPECT_EQ(verification.studies, 6);
    EXPECT_EQ(verification.launches, 72);
    EXPECT_EQ(verification.checked, 72);
  }
}

TEST(Verify, AsksSearchersAgainWhereThatIsWanted) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"evolution"}));
  EXPECT_TRUE(verify_search({.folder = folder / "s", .asks_again = true, .threads = 1})
                  .differences.empty());
}

TEST(Verify, PlaysASample) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random", "sobol"}));
  const Verification verification =
      verify_search({.folder = folder / "s", .sample = 1, .threads = 1});
  EXPECT_EQ(verification.played, 1);
  EXPECT_EQ(verification.checked, 12);
  EXPECT_EQ(verification.launches, 48);
}

/// Changes one digit of a number of the line that `key` names.
std::string with_other_digit(std::string line, const std::string& key) {
  const std::size_t at = line.find("\"" + key + "\":") + key.size() + 3;
  const std::size_t digit = line.find_first_of("0123456789", at);
  line[digit] = line[digit] == '7' ? '3' : '7';
  return line;
}

// One hundred journals, each tampered with in one of four ways; finished.json is written anew and
// the truth is changed alike where a line is dropped, as somebody who means it would.
TEST(Verify, FindsEveryTamperedJournal) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random", "evolution"}));
  const std::vector<std::string> studies{"tiny-llama.0.random.0", "tiny-llama.0.random.1",
                                         "tiny-llama.0.evolution.0", "tiny-llama.0.evolution.1"};
  int found = 0;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const std::string& study = studies[trial % studies.size()];
    const fs::path journal = journal_of(folder / "s", study);
    const fs::path truth = truth_of(folder / "s", study);
    const std::string journal_before = read_text(journal);
    const std::string truth_before = read_text(truth);
    std::vector<std::string> lines = lines_of(journal);
    const auto draw = [&](std::uint32_t number, std::uint64_t below) {
      return sim::uniform_below({.seed = 6, .entity = trial, .draw = number}, below);
    };
    const std::size_t at = 1 + draw(0, lines.size() - 1);
    switch (trial / 4 % 4) {
      case 0:
        lines[at] = with_other_digit(
            lines[at],
            lines[at].find("\"value\":null") == std::string::npos ? "value" : "cost_gpu_hours");
        break;
      case 1: {
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        std::vector<std::string> truths = lines_of(truth);
        truths.erase(truths.begin() + static_cast<std::ptrdiff_t>(at));
        write_lines(truth, truths);
        break;
      }
      case 2:
        std::swap(lines[at], lines[at == 1 ? 2 : at - 1]);
        break;
      default:
        lines[0].replace(lines[0].find("{\"trials\":12}"), 13, "{\"trials\":13}");
    }
    write_lines(journal, lines);
    write_finished(folder / "s", {studies.begin(), studies.end()});
    const Verification verification = verified(folder / "s");
    EXPECT_EQ(verification.differences.size(), 1U);
    found += !verification.differences.empty() && verification.differences[0].study == study;
    write_text(journal, journal_before);
    write_text(truth, truth_before);
  }
  EXPECT_EQ(found, 100);
  write_finished(folder / "s", {studies.begin(), studies.end()});
  EXPECT_TRUE(verified(folder / "s").differences.empty());
}

TEST(Verify, NamesThePlace) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random"}));
  const fs::path journal = journal_of(folder / "s", "tiny-llama.0.random.1");
  std::vector<std::string> lines = lines_of(journal);
  lines[3] = with_other_digit(lines[3], "cost_gpu_hours");
  write_lines(journal, lines);
  const Verification verification = verified(folder / "s");
  ASSERT_EQ(verification.differences.size(), 1U);
  EXPECT_EQ(verification.differences[0].study, "tiny-llama.0.random.1");
  EXPECT_TRUE(verification.differences[0].trial);
  EXPECT_THAT(verification.differences[0].what,
              HasSubstr("journal line 4: cost_gpu_hours: expected "));
}

TEST(Verify, NamesALineWhoseTrialIsNoNumber) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random"}));
  const fs::path truth = truth_of(folder / "s", "tiny-llama.0.random.1");
  std::vector<std::string> lines = lines_of(truth);
  lines[3] = "{\"trial\":{}}\n";
  write_lines(truth, lines);
  const Verification verification = verified(folder / "s");
  ASSERT_EQ(verification.differences.size(), 1U);
  EXPECT_THAT(verification.differences[0].what, HasSubstr("truth line 4: "));
}

TEST(Verify, MissesJournalsAndLines) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random"}));
  fs::remove(journal_of(folder / "s", "tiny-llama.0.random.0"));
  const fs::path journal = journal_of(folder / "s", "tiny-llama.0.random.1");
  write_text(journal, read_text(journal) + "{\"trial\":");
  const Verification verification = verified(folder / "s");
  ASSERT_EQ(verification.differences.size(), 2U);
  EXPECT_EQ(verification.differences[0].what, "the journal is missing");
  EXPECT_THAT(verification.differences[1].what, HasSubstr("expected the end, got another line"));
}

TEST(Verify, PlaysNoBudgetThatNoJournalHolds) {
  // A plan that says 10^9 launches is played for as many as there are.
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random"}));
  std::string plan = read_text(folder / "s" / "plan.json");
  const std::string budget = "\"trials\": 12";
  ASSERT_NE(plan.find(budget), std::string::npos);
  plan.replace(plan.find(budget), budget.size(), "\"trials\": 1000000000");
  write_text(folder / "s" / "plan.json", plan);
  const Verification verification = verified(folder / "s");
  ASSERT_EQ(verification.differences.size(), 2U);
  EXPECT_EQ(verification.differences[0].what,
            "journal line 1: budget/trials: expected 1000000000, got 12");
}

/// Every searcher with the option `recommend`, switched on, and no other, states what it
/// recommends.
TEST(Verify, KnowsWhoStatesARecommendation) {
  const scenarios::SearchSpace space = box();
  const auto outcome = [](std::int64_t trial, const scenarios::Configuration& config) {
    ToldTrial end = told(trial, config);
    end.score = 1.0 + static_cast<double>(trial % 7);
    return end;
  };
  std::vector<std::string> texts = further_texts();
  for (const SearcherEntry& entry : searchers()) {
    if (!entry.needs_known) texts.push_back(quick_text(entry.name));
  }
  texts.push_back(quick_text("constrained-gp") + ":recommend=1");
  int stating = 0;
  for (const std::string& text : texts) {
    const auto searcher = make(text, space, 1, 30);
    drive(*searcher, 30, outcome);
    const bool states = searcher->recommend().has_value();
    EXPECT_EQ(states, states_recommendation(parse_searcher(text, ""))) << text;
    stating += states ? 1 : 0;
  }
  EXPECT_EQ(stating, 1);
}

// The last line of such a journal, with finished.json written anew.
TEST(Verify, FindsARecommendationThatIsMissingOrAdded) {
  const TemporaryFolder folder;
  const std::string text = quick_text("constrained-gp") + ":recommend=1";
  search_into(folder / "s", plan_of(1, {text, "random"}));
  EXPECT_TRUE(verified(folder / "s").differences.empty());
  const std::string stating = "tiny-llama.0." + searcher_slug(text) + ".0";
  std::vector<std::string> lines = lines_of(journal_of(folder / "s", stating));
  const std::string last = lines.back();
  ASSERT_THAT(last, testing::StartsWith("{\"recommend\":"));
  lines.pop_back();
  write_lines(journal_of(folder / "s", stating), lines);
  const std::string silent = "tiny-llama.0.random.0";
  lines = lines_of(journal_of(folder / "s", silent));
  std::string added = lines[1].substr(lines[1].find("\"config\":") + 9);
  added = "{\"recommend\":" + added.substr(0, added.find('}') + 1) + "}\n";
  lines.push_back(added);
  write_lines(journal_of(folder / "s", silent), lines);
  write_finished(folder / "s", {stating, silent});
  const std::vector<VerifiedDifference> found = verified(folder / "s").differences;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].study, stating);
  EXPECT_THAT(found[0].what, HasSubstr("expected another line, got the end"));
  EXPECT_EQ(found[1].study, silent);
  EXPECT_THAT(found[1].what, HasSubstr("expected the end, got another line"));
}

// finished.json has the hashes of all journals: of studies that are not played, and of programs
// outside, which cannot be asked again for their recommendation.
TEST(Verify, ComparesTheHashesOfFinishedStudies) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random", "evolution"}));
  const fs::path journal = journal_of(folder / "s", "tiny-llama.0.evolution.1");
  const FinishedStudies before(folder / "s");
  EXPECT_FALSE(before.contradicts("tiny-llama.0.evolution.1"));
  EXPECT_FALSE(before.contradicts("tiny-llama.0.evolution.7"));
  std::vector<std::string> lines = lines_of(journal);
  lines.pop_back();
  write_lines(journal, lines);
  EXPECT_TRUE(FinishedStudies(folder / "s").contradicts("tiny-llama.0.evolution.1"));
  for (const std::int64_t sample : {1, 2, 3}) {
    const Verification some =
        verify_search({.folder = folder / "s", .sample = sample, .threads = 1});
    ASSERT_EQ(some.differences.size(), 1U) << sample;
    EXPECT_EQ(some.differences[0].study, "tiny-llama.0.evolution.1");
  }
}

TEST(Verify, RefusesWhatAnotherVersionMade) {
  const TemporaryFolder folder;
  search_into(folder / "s", plan_of(1, {"random"}));
  const fs::path plan = folder / "s/plan.json";
  std::string text = read_text(plan);
  const std::size_t at = text.find("\"version\": \"") + 12;
  text.replace(at, text.find('"', at) - at, "9.9.9");
  write_text(plan, text);
  EXPECT_THROW(verified(folder / "s"), support::InputError);
  EXPECT_THROW(verified(folder / "none"), support::InputError);
}

}  // namespace
}  // namespace cubicbench::search
