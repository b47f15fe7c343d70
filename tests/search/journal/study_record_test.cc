#include "search/journal/study_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scenarios/readers/scenario_reader.h"
#include "search/finished/study_set.h"
#include "search/folder/campaign.h"
#include "search/folder/search_folder.h"
#include "tests/temporary_folder.h"

namespace cubicbench::search {
namespace {

bool same(const StudyLaunch& a, const StudyLaunch& b) {
  return a.state == b.state && a.reason == b.reason && a.value == b.value &&
         a.cost_gpu_hours == b.cost_gpu_hours && a.fidelity == b.fidelity && a.trial == b.trial &&
         a.attempt == b.attempt && a.round == b.round && a.config == b.config && a.truth == b.truth;
}

/// Everything that two records say.
void expect_equal(const StudyRecord& kept, const StudyRecord& read) {
  EXPECT_EQ(static_cast<const JournalHeader&>(kept), static_cast<const JournalHeader&>(read));
  EXPECT_EQ(kept.stated, read.stated);
  EXPECT_EQ(kept.torn, read.torn);
  EXPECT_TRUE(std::ranges::equal(kept.launches, read.launches, same));
  ASSERT_EQ(kept.configs.size(), read.configs.size());
  for (std::size_t i = 0; i < kept.configs.size(); ++i) {
    const auto id = static_cast<ConfigId>(i);
    EXPECT_EQ(kept.configs.json(id), read.configs.json(id));
  }
}

SearchPlan plan() {
  SearchPlan plan;
  plan.scenarios = {scenarios::read_scenario("tiny-llama")};
  for (const char* const name : {"random", "evolution", "cubicml"}) {
    plan.searchers.push_back(parse_searcher(name, "--searcher"));
  }
  plan.trials = 30;
  plan.seeds = 2;
  return plan;
}

TEST(StudyRecord, KeptInMemoryIsWhatTheFilesSay) {
  const TemporaryFolder folder;
  const SearchResult result = run_search(plan(), {.out = folder / "out", .threads = 2});
  ASSERT_EQ(result.records.size(), 6U);
  for (const StudyRecord& kept : result.records) {
    SCOPED_TRACE(study_name(kept));
    auto read =
        read_record(journal_of(folder / "out", study_name(kept)), std::make_shared<ConfigWords>());
    ASSERT_TRUE(read);
    const auto truth = truth_of(folder / "out", study_name(kept));
    add_truth(*read, read_truth(truth), truth.string());
    expect_equal(kept, *read);
  }
}

TEST(StudyRecord, OfAResumedSearchIsThatOfTheFirst) {
  const TemporaryFolder folder;
  const SearchResult first = run_search(plan(), {.out = folder / "out", .threads = 1});
  const SearchResult again =
      run_search(plan(), {.out = folder / "out", .resume = true, .threads = 2});
  ASSERT_EQ(again.records.size(), first.records.size());
  for (std::size_t i = 0; i < first.records.size(); ++i) {
    expect_equal(again.records[i], first.records[i]);
    EXPECT_EQ(again.studies[i].best->config, first.studies[i].best->config);
  }
}

TEST(StudyRecord, KeepsEachConfigurationOnce) {
  StudyRecord record;
  RecordWriter writer(record);
  JournalLine line{.config = {{"micro_batch", "2"}, {"sharding", "\"zero1\""}}, .outcome = {}};
  for (int trial = 0; trial < 4; ++trial) {
    line.trial = trial;
    line.config[0].second = trial % 2 == 0 ? "2" : "4";
    line.outcome.value = 1.0;
    const std::string text = journal_text(line);
    if (trial < 2) {
      writer.take(line);
    } else {
      EXPECT_TRUE(writer.take_plain(text.substr(0, text.size() - 1)));
    }
  }
  ASSERT_EQ(record.configs.size(), 2U);
  EXPECT_EQ(record.launches[0].config, record.launches[2].config);
  EXPECT_EQ(record.launches[1].config, record.launches[3].config);
  EXPECT_EQ(record.config_of(record.launches[3]),
            (ConfigText{{"micro_batch", "4"}, {"sharding", "zero1"}}));
  EXPECT_EQ(record.configs.find({{"micro_batch", "8"}}), std::nullopt);
}

}  // namespace
}  // namespace cubicbench::search
