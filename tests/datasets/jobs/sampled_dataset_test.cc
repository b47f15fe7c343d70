#include "datasets/jobs/sampled_dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "datasets/jobs/physics.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Instance;
using scenarios::Reason;
using scenarios::Scenario;

Scenario tiny() { return scenarios::read_scenario("tiny-llama"); }

/// On devices of 16 GiB many configurations run out of memory.
Scenario cramped() {
  Scenario scenario = tiny();
  scenario.cluster.device.memory = sim::Bytes{0x1p34};
  return scenario;
}

/// Equal to the bit, NaN included.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

TEST(SampledDataset, JobsHaveTheGpusThatTheyTook) {
  const Scenario scenario = scenarios::read_scenario(std::string(CUBICBENCH_SOURCE_DIR) +
                                                     "/tests/scenarios/cost-7b.json");
  const Dataset data = sampled_dataset(scenario, 0, 60, 7, 1);
  scenarios::Configuration configuration(scenario.space.size());
  std::set<std::int64_t> counts;
  for (const Job& job : data.jobs) {
    sim::Plan plan;
    scenario.space.configuration_at(job.configuration, configuration);
    scenario.space.apply(configuration, plan);
    EXPECT_EQ(job.gpus, plan.gpus);
    counts.insert(job.gpus);
  }
  EXPECT_GE(counts.size(), 5U);
}

TEST(SampledDataset, RowsAreLaunchesOfTheInstance) {
  const Scenario scenario = cramped();
  const Instance instance(scenario, 1);
  const Dataset data = sampled_dataset(scenario, 1, 200, 7, 1);
  ASSERT_EQ(data.jobs.size(), 200U);
  EXPECT_EQ(data.target, "tokens_per_s");
  EXPECT_TRUE(data.simulated);
  sim::Workspace workspace;
  scenarios::Configuration configuration(scenario.space.size());
  int timed = 0;
  int oom = 0;
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    const Job& job = data.jobs[i];
    scenario.space.configuration_at(job.configuration, configuration);
    const scenarios::TrueValue truth = instance.true_value(configuration, workspace);
    const scenarios::TrialOutcome first = instance.launch(configuration, 0, workspace);
    EXPECT_EQ(job.gpus, 8);
    EXPECT_EQ(job.status == JobStatus::out_of_memory,
              first.reason == Reason::oom_init || first.reason == Reason::oom_late);
    if (job.status != JobStatus::ok) {
      ++oom;
      EXPECT_FALSE(job.value || job.noise_free);
      continue;
    }
    ++timed;
    // With luck a launch runs whose configuration does not fit.
    EXPECT_EQ(job.noise_free.has_value(), truth.reason == Reason::none);
    if (!job.noise_free) continue;
    EXPECT_EQ(job.noise_free, truth.value);
    EXPECT_EQ(job.value, first.value);
    EXPECT_NE(job.value, job.noise_free);
  }
  EXPECT_GT(timed, 50);
  EXPECT_GT(oom, 5);
}

TEST(SampledDataset, PhysicsIsOfTheNominalScenario) {
  const Scenario scenario = cramped();
  const Instance nominal(scenario, 0);
  const Dataset data = sampled_dataset(scenario, 3, 100, 1, 1);
  sim::Workspace workspace;
  scenarios::Configuration configuration(scenario.space.size());
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    scenario.space.configuration_at(data.jobs[i].configuration, configuration);
    sim::Plan plan;
    scenario.space.apply(configuration, plan);
    std::vector<double> expected(data.physics_columns.size());
    write_physics(scenario, plan, workspace, expected);
    const auto row = data.physics_row(i);
    EXPECT_TRUE(same(expected, {row.begin(), row.end()}));
    // The truth is a quantile of jittered steps, which lies near the engine's ideal step.
    const scenarios::TrueValue truth = nominal.true_value(configuration, workspace);
    if (truth.reason == Reason::none) {
      EXPECT_NEAR(row[0], sim::log(truth.value), 0.1);
      EXPECT_LE(row[1], 1.0);
    } else if (truth.reason == Reason::oom_init || truth.reason == Reason::oom_late) {
      EXPECT_GT(row[1], 1.0);
    }
  }
}

TEST(SampledDataset, DrawsNoneTwiceWhereTheSpaceIsLarger) {
  const Scenario scenario = scenarios::read_scenario("tiny-gpt");
  const auto count = static_cast<std::int64_t>(scenario.space.count());
  for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{50}, count - 1}) {
    std::set<std::uint64_t> seen;
    for (const Job& job : sampled_dataset(scenario, 1, rows, 3, 2).jobs) {
      EXPECT_TRUE(seen.insert(job.configuration).second);
    }
    EXPECT_LE(std::ssize(seen), rows);
  }
}

TEST(SampledDataset, RepeatsAreLaunchesOfTheirOwn) {
  const Scenario scenario = scenarios::read_scenario("tiny-gpt");
  const auto rows = static_cast<std::int64_t>(2 * scenario.space.count());
  const Dataset data = sampled_dataset(scenario, 1, rows, 3, 2);
  std::map<std::uint64_t, std::vector<double>> values;
  std::set<std::string> ids;
  for (const Job& job : data.jobs) {
    EXPECT_TRUE(ids.insert(job.id).second) << job.id;
    if (job.value) values[job.configuration].push_back(*job.value);
  }
  int repeated = 0;
  for (auto& [configuration, all] : values) {
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    if (all.size() > 1) ++repeated;
  }
  EXPECT_GT(repeated, 10);
}

TEST(SampledDataset, DependsOnTheSeedAndNotOnThreads) {
  const Scenario scenario = tiny();
  const Dataset one = sampled_dataset(scenario, 1, 150, 5, 1);
  for (const int threads : {2, 8}) {
    const Dataset other = sampled_dataset(scenario, 1, 150, 5, threads);
    EXPECT_TRUE(same(one.cells, other.cells));
    EXPECT_TRUE(same(one.physics, other.physics));
    ASSERT_EQ(one.jobs.size(), other.jobs.size());
    for (std::size_t i = 0; i < one.jobs.size(); ++i) {
      EXPECT_EQ(one.jobs[i].id, other.jobs[i].id);
      EXPECT_EQ(one.jobs[i].value, other.jobs[i].value);
    }
  }
  EXPECT_FALSE(same(one.cells, sampled_dataset(scenario, 1, 150, 6, 1).cells));
}

TEST(SampledDataset, AFailureOfTheInfrastructureIsLaunchedAgain) {
  // On 16,384 GPUs that fail at the published rate some launches of 1,000 are interrupted.
  Scenario scenario = scenarios::read_scenario(
      "llama3-405b", std::vector<std::string>{"truth.failures=llama3-2024"});
  const Instance instance(scenario, 1);
  const Dataset data = sampled_dataset(scenario, 1, 1'000, 1, 2);
  sim::Workspace workspace;
  scenarios::Configuration configuration(scenario.space.size());
  int relaunched = 0;
  for (const Job& job : data.jobs) {
    scenario.space.configuration_at(job.configuration, configuration);
    if (instance.launch(configuration, 0, workspace).reason != Reason::infra) continue;
    ++relaunched;
    // Near the limit of memory the next launch may run out of it.
    EXPECT_NE(job.status, JobStatus::untimed) << job.id;
  }
  EXPECT_GT(relaunched, 0);
}

TEST(SampledDataset, OfATableOfRunsTheOutcomesAreTheMeasuredOnes) {
  Scenario scenario = scenarios::read_scenario("tiny-gpt");
  scenarios::MeasuredOutcomes measured;
  for (std::uint64_t i = 0; i < scenario.space.count(); ++i) {
    scenarios::TrialOutcome run;
    run.value = 100.0 + static_cast<double>(i);
    measured.of_configuration.push_back({run});
  }
  scenario.measured = std::make_shared<const scenarios::MeasuredOutcomes>(std::move(measured));
  const Dataset data = sampled_dataset(scenario, 1, 20, 1, 1);
  ASSERT_EQ(data.jobs.size(), 20U);
  EXPECT_FALSE(data.simulated);
  for (const Job& job : data.jobs) {
    EXPECT_EQ(job.value, 100.0 + static_cast<double>(job.configuration));
    EXPECT_FALSE(job.noise_free);
  }
  for (const double cell : data.physics) EXPECT_TRUE(std::isnan(cell));
  EXPECT_EQ(sampled_dataset(scenario, 1, 1'000'000, 1, 1).jobs.size(), scenario.space.count());
}

}  // namespace
}  // namespace cubicbench::datasets
