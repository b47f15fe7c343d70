#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/backends/backend_factory.h"
#include "search/backends/simulated_backends.h"
#include "search/folder/campaign.h"
#include "search/journal/journal.h"
#include "support/input_error.h"
#include "tests/search/small_spaces.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrialOutcome;
using scenarios::TrialState;

TrialOutcome run_of_value(double value, double hours) {
  TrialOutcome run;
  run.value = value;
  run.duration_h = hours;
  run.cost_gpu_hours = 8.0 * hours;
  return run;
}

/// The listed space of the contract's tests; configuration n came to 100 n and then to 100 n + 1,
/// in n + 1 hours.
Scenario table() {
  Scenario scenario;
  scenario.name = "table";
  scenario.sha256 = "0";
  scenario.space = listed();
  scenarios::MeasuredOutcomes measured;
  for (std::uint64_t n = 0; n < scenario.space.count(); ++n) {
    const auto value = static_cast<double>(n);
    measured.of_configuration.push_back(
        {run_of_value(100.0 * value, value + 1.0), run_of_value(100.0 * value + 1.0, value + 1.0)});
  }
  scenario.measured = std::make_shared<const scenarios::MeasuredOutcomes>(std::move(measured));
  return scenario;
}

Launch launch_of(const Scenario& scenario, std::uint64_t number, std::int64_t trial,
                 std::int64_t attempt) {
  scenarios::Configuration configuration(scenario.space.size());
  scenario.space.configuration_at(number, configuration);
  return {.trial = trial, .attempt = attempt, .config = std::move(configuration)};
}

TEST(TableBackend, AttemptsAreTheRunsInTheirOrderAndThenAroundAgain) {
  const Scenario scenario = table();
  TableBackend backend(scenario);
  for (std::int64_t attempt = 0; attempt < 5; ++attempt) {
    backend.start(launch_of(scenario, 3, attempt, attempt));
    const Finished finished = backend.wait();
    EXPECT_EQ(finished.outcome.value, 300.0 + static_cast<double>(attempt % 2));
    EXPECT_EQ(finished.outcome.cost_gpu_hours, 32.0);
    EXPECT_FALSE(finished.true_value);
    EXPECT_EQ(finished.started_h, 4.0 * static_cast<double>(attempt));
    EXPECT_EQ(finished.finished_h, 4.0 * static_cast<double>(attempt + 1));
  }
}

TEST(TableBackend, SlotsShareTheClock) {
  const Scenario scenario = table();
  TableBackend backend(scenario);
  backend.start(launch_of(scenario, 5, 0, 0));  // until 6
  backend.start(launch_of(scenario, 1, 1, 0));  // until 2
  EXPECT_EQ(backend.wait().launch.trial, 1);
  backend.start(launch_of(scenario, 3, 2, 0));  // from 2 until 6: a tie, the lower trial first
  EXPECT_EQ(backend.wait().launch.trial, 0);
  const Finished last = backend.wait();
  EXPECT_EQ(last.launch.trial, 2);
  EXPECT_EQ(last.started_h, 2.0);
  EXPECT_EQ(last.finished_h, 6.0);
}

TEST(TableBackend, OutsideTheListIsInvalidAndFree) {
  const Scenario scenario = table();
  TableBackend backend(scenario);
  // 3 * 3 % 13 is 9: not in the list, though each value is one of its parameter's.
  const scenarios::Configuration outside{0, 1, 0};
  ASSERT_FALSE(scenario.space.contains(outside));
  backend.start({.trial = 0, .config = outside});
  const Finished finished = backend.wait();
  EXPECT_EQ(finished.outcome.state, TrialState::fail);
  EXPECT_EQ(finished.outcome.reason, Reason::invalid);
  EXPECT_EQ(finished.outcome.cost_gpu_hours, 0.0);
  EXPECT_EQ(finished.finished_h, 0.0);
}

TEST(TableBackend, TheHashIsOfTheOutcomes) {
  const Scenario scenario = table();
  EXPECT_EQ(outcomes_sha256(scenario), outcomes_sha256(table()));
  scenarios::MeasuredOutcomes other = *scenario.measured;
  other.of_configuration[2][1].value = 7.0;
  Scenario changed = scenario;
  changed.measured = std::make_shared<const scenarios::MeasuredOutcomes>(std::move(other));
  EXPECT_NE(outcomes_sha256(changed), outcomes_sha256(scenario));
}

TEST(TableBackend, EachScenarioHasItsOwnKind) {
  const Scenario measured = table();
  const Scenario model = datasets::read_scenario("tiny-gpt");
  EXPECT_EQ(usual_backend(std::vector<Scenario>{measured}), "table");
  EXPECT_EQ(usual_backend(std::vector<Scenario>{model}), "simulator");
  EXPECT_EQ(usual_backend(std::vector<Scenario>{measured, model}), "simulator");
  EXPECT_EQ(usual_backend({}), "simulator");
  const BackendSpec play = parse_backend("table", "test");
  EXPECT_TRUE(is_repeatable(play));
  EXPECT_FALSE(knows_truth(play));
  EXPECT_EQ(mismatch(play, measured), "");
  EXPECT_EQ(mismatch(play, model),
            "expected simulator, recorded:DIR, command:CMD or slurm:TEMPLATE with tiny-gpt, which "
            "has a model "
            "and no table of "
            "runs");
  for (const char* other : {"simulator", "command:./run"}) {
    EXPECT_EQ(mismatch(parse_backend(other, "test"), measured),
              "expected table with table, which is a table of runs: nothing else knows its "
              "configurations");
  }
}

// ---- studies of a real table

SearchPlan sweep() {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario("nanotron-3.57b-64gpu"));
  for (const char* searcher : {"random", "evolution", "sobol"}) {
    plan.searchers.push_back(parse_searcher(searcher, "--searcher"));
  }
  plan.trials = 60;
  plan.seeds = 2;
  plan.slots = 3;
  plan.backend = "table";
  return plan;
}

TEST(TableStudy, LeavesTheSameBytesWhateverTheThreadsAndNoTruth) {
  const TemporaryFolder folder;
  run_search(sweep(), {.out = folder / "one", .threads = 1, .progress = {}});
  run_search(sweep(), {.out = folder / "eight", .threads = 8, .progress = {}});
  const auto files = files_below(folder / "one");
  EXPECT_EQ(files, files_below(folder / "eight"));
  EXPECT_EQ(files.size(), 8U);  // the plan, the list of the finished, six journals
  for (const auto& [name, content] : files) EXPECT_FALSE(name.starts_with("truth"));
}

TEST(TableStudy, EveryLineIsARunOfTheTable) {
  const TemporaryFolder folder;
  const SearchPlan plan = sweep();
  const Scenario& scenario = plan.scenarios.front();
  run_search(plan, {.out = folder / "out", .threads = 2, .progress = {}});
  for (const char* searcher : {"random", "evolution", "sobol"}) {
    const JournalFile journal = read_journal(
        folder / ("out/journals/nanotron-3.57b-64gpu.0." + std::string(searcher) + ".1.jsonl"));
    EXPECT_EQ(journal.header.truth_sha256, outcomes_sha256(scenario));
    EXPECT_EQ(journal.header.backend, "table");
    ASSERT_EQ(journal.lines.size(), 60U);
    for (const JournalLine& line : journal.lines) {
      const auto& all = scenario.measured->of_configuration;
      EXPECT_TRUE(std::ranges::any_of(all, [&](const std::vector<TrialOutcome>& runs) {
        return runs.front().value == line.outcome.value &&
               runs.front().reason == line.outcome.reason;
      }));
    }
  }
}

TEST(TableStudy, AWholeTableIsSearchedToItsEnd) {
  const TemporaryFolder folder;
  SearchPlan plan = sweep();
  plan.trials = 500;  // the table has 107
  plan.seeds = 1;
  const SearchResult result =
      run_search(plan, {.out = folder / "out", .threads = 2, .progress = {}});
  for (const StudySummary& study : result.studies) {
    EXPECT_EQ(study.trials, 107);
    EXPECT_EQ(study.failed, 31);
    ASSERT_TRUE(study.best);
    EXPECT_EQ(study.best->value, 13312.28);  // the largest in the CSV file
  }
}

TEST(TableStudy, OneInstanceOnly) {
  const TemporaryFolder folder;
  SearchPlan plan = sweep();
  plan.instances = 2;
  try {
    run_search(plan, {.out = folder / "out", .progress = {}});
    ADD_FAILURE() << "expected an InputError";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--instances: expected 1 with a backend that is no simulator, got 2");
  }
}

}  // namespace
}  // namespace cubicbench::search
