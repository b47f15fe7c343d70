#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/backends/simulated_backends.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/ledger/run_study.h"
#include "search/study/study.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

std::vector<JournalLine> lines_of(const scenarios::Instance& instance, Searcher& searcher,
                                  std::int64_t trials, const std::filesystem::path& journal) {
  SimulatorBackend backend(instance);
  JournalHeader header;
  header.scenario = "tiny-llama";
  header.trials = trials;
  StudyLog log({journal}, header, false);
  log.keep_truth({journal.string() + ".truth"}, TruthHeader{}, false);
  StudySpec spec;
  spec.scenario = "tiny-llama";
  spec.trials = trials;
  run_study(instance.scenario(), spec, searcher, backend, log);
  return read_journal(journal).lines;
}

Configuration number(const scenarios::Instance& instance, std::uint64_t n) {
  Configuration config(instance.scenario().space.size());
  instance.scenario().space.configuration_at(n, config);
  return config;
}

TEST(SimulatorBackend, GivesTheSameOutcomesToEverySearcherAndDrawsAnewWhenAskedAgain) {
  const TemporaryFolder folder;
  const scenarios::Instance instance(scenarios::read_scenario("tiny-llama"), 0);
  const Configuration a = number(instance, 100);
  const Configuration b = number(instance, 200);
  ListSearcher first({a, a, b, a});
  ListSearcher second({b, a, b, a, a});
  const auto one = lines_of(instance, first, 4, folder / "one");
  const auto two = lines_of(instance, second, 5, folder / "two");
  ASSERT_EQ(one.size(), 4U);  // a repeated launch costs budget
  ASSERT_EQ(two.size(), 5U);
  ASSERT_TRUE(one[0].outcome.value && one[1].outcome.value && one[2].outcome.value);
  EXPECT_EQ(one[0].outcome.value, two[1].outcome.value);  // the first launch of a
  EXPECT_EQ(one[1].outcome.value, two[3].outcome.value);  // the second
  EXPECT_EQ(one[3].outcome.value, two[4].outcome.value);  // the third
  EXPECT_EQ(one[2].outcome.value, two[0].outcome.value);  // the first of b
  EXPECT_NE(one[0].outcome.value, one[1].outcome.value);
  EXPECT_NE(one[1].outcome.value, one[3].outcome.value);
  EXPECT_EQ(one[3].attempt, 2);
  EXPECT_EQ(two[2].attempt, 1);
}

TEST(SimulatorBackend, KeepsTheTruthBesideEachLaunch) {
  const TemporaryFolder folder;
  const scenarios::Instance instance(scenarios::read_scenario("tiny-llama"), 1);
  const Configuration a = number(instance, 100);
  ListSearcher searcher({a, {99}, a});
  const auto lines = lines_of(instance, searcher, 3, folder / "j");
  sim::Workspace workspace;
  const scenarios::TrueValue truth = instance.true_value(a, workspace);
  ASSERT_EQ(truth.reason, scenarios::Reason::none);
  EXPECT_EQ(read_text(folder / "j.truth"),
            truth_text(TruthHeader{}) +
                truth_text(TruthLine{.trial = 0, .attempt = 0, .truth = truth}) +
                "{\"trial\":1,\"attempt\":0,\"reason\":\"invalid\",\"value\":null}\n" +
                truth_text(TruthLine{.trial = 2, .attempt = 1, .truth = truth}));
}

TEST(SimulatorBackend, AProposalOutsideTheSpaceIsInvalidAndFree) {
  const TemporaryFolder folder;
  const scenarios::Instance instance(scenarios::read_scenario("tiny-llama"), 0);
  Configuration broken = number(instance, 100);
  broken[0] = 17;
  ListSearcher searcher({{}, {0, 0}, broken, Configuration(40, 0)});
  const auto lines = lines_of(instance, searcher, 10, folder / "j");
  ASSERT_EQ(lines.size(), 4U);
  for (const JournalLine& line : lines) {
    EXPECT_EQ(line.outcome.reason, scenarios::Reason::invalid);
    EXPECT_EQ(line.outcome.cost_gpu_hours, 0.0);
    EXPECT_EQ(line.finished_h, 0.0);
  }
  EXPECT_EQ(lines[0].config, ConfigText{});
  EXPECT_EQ(lines[1].config, (ConfigText{{"tensor_parallel", "1"}, {"pipeline_parallel", "1"}}));
  ASSERT_EQ(searcher.told.size(), 4U);
  EXPECT_EQ(searcher.told[2].config, broken);
}

}  // namespace
}  // namespace cubicbench::search
