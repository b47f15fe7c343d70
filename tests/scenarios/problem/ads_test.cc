#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

struct Ads {
  const char* name;
  double tables;  ///< weights
  double dense;
};
constexpr Ads all_ads[] = {{"ads-73b", 56e9, 17e9},
                           {"ads-73b-table-heavy", 70e9, 3e9},
                           {"ads-73b-dense-heavy", 13e9, 60e9},
                           {"ads-73b-a100", 56e9, 17e9},
                           {"ads-73b-table-heavy-a100", 70e9, 3e9},
                           {"ads-73b-dense-heavy-a100", 13e9, 60e9}};

TEST(AdsModels, HaveTheParametersThatTheirNamesSay) {
  for (const Ads& ads : all_ads) {
    SCOPED_TRACE(ads.name);
    const Scenario scenario = read_scenario(ads.name);
    const auto& model = std::get<sim::Recommendation>(scenario.workload);
    EXPECT_NEAR(sim::table_parameters(model) / ads.tables, 1.0, 0.01);
    EXPECT_NEAR(sim::dense_parameters(model) / ads.dense, 1.0, 0.015);
    EXPECT_EQ(sim::table_count(model), 788);
    EXPECT_NEAR(sim::ids_per_sample(model) / 788.0, 13.6, 0.2);
  }
}

TEST(AdsModels, RunOn128GpusAndAreJudgedByTheNinetiethPercentile) {
  for (const Ads& ads : all_ads) {
    SCOPED_TRACE(ads.name);
    const Scenario scenario = read_scenario(ads.name);
    EXPECT_EQ(scenario.cluster.gpus, 128);
    EXPECT_EQ(scenario.objective.metric, Metric::samples_per_s);
    EXPECT_EQ(scenario.objective.percentile, 90.0);
    EXPECT_GE(scenario.space.size(), 14U);
    EXPECT_GE(scenario.space.count(), 100'000'000U);
  }
}

TEST(AdsModels, BaselinesRun) {
  for (const Ads& ads : all_ads) {
    const Scenario scenario = read_scenario(ads.name);
    sim::Workspace workspace;
    EXPECT_EQ(evaluate(scenario, scenario.baseline, workspace).status, sim::StepStatus::ok)
        << ads.name;
  }
}

/// Statuses of uniform draws.
struct Shares {
  double out_of_memory = 0.0;
  double invalid = 0.0;
};

Shares shares_of(const Scenario& scenario, std::uint64_t draws) {
  sim::Workspace workspace;
  sim::Plan plan;
  Configuration configuration(scenario.space.size());
  Shares shares;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    scenario.space.sample(1, draw, configuration);
    scenario.space.apply(configuration, plan);
    const sim::StepStatus status = evaluate(scenario, plan, workspace).status;
    shares.invalid += status == sim::StepStatus::invalid ? 1.0 : 0.0;
    shares.out_of_memory +=
        status == sim::StepStatus::oom_init || status == sim::StepStatus::oom_late ? 1.0 : 0.0;
  }
  shares.invalid /= static_cast<double>(draws);
  shares.out_of_memory /= static_cast<double>(draws);
  return shares;
}

// Fewer failures would teach a searcher nothing, more would be a space nobody would write down.
TEST(AdsSpaces, RunOutOfMemoryInATenthToThreeFifthsOfAllDraws) {
  for (const Ads& ads : all_ads) {
    const Shares shares = shares_of(read_scenario(ads.name), 4096);
    RecordProperty(ads.name, std::to_string(shares.out_of_memory));
    std::printf("%s: %.3f of 4,096 draws out of memory\n", ads.name, shares.out_of_memory);
    EXPECT_EQ(shares.invalid, 0.0) << ads.name;
    EXPECT_GE(shares.out_of_memory, 0.10) << ads.name;
    EXPECT_LE(shares.out_of_memory, 0.60) << ads.name;
  }
}

/// Memory of the fullest rank under an embedding plan and threshold of replication.
double tables_on_fullest_rank(sim::EmbeddingPlan embedding_plan, std::int64_t below_thousandths) {
  const Scenario scenario = read_scenario(test_scenario("ads-tables"));
  sim::Plan plan = scenario.baseline;
  plan.embedding_plan = embedding_plan;
  plan.embedding_replicate_below_gib_thousandths = below_thousandths;
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(scenario, plan, workspace);
  const auto part = static_cast<std::size_t>(sim::MemoryPart::embedding_tables);
  return report.memory.parts[part].value;
}

// 222.6 GB of fp32 tables are 1.7 GB a rank when they are cut by rows; a whole one of 25.6 GB is on
// one rank, and beside it is at least its share of the others.
TEST(AdsModels, TablesPlacedWholeLoadOneRank) {
  EXPECT_GE(tables_on_fullest_rank(sim::EmbeddingPlan::table_wise, 0), 25.6e9);
  EXPECT_NEAR(tables_on_fullest_rank(sim::EmbeddingPlan::row_wise, 0), 222.6e9 / 128, 0.02e9);
}

// Below 0.008 GiB are the 200 tables of 10,000 rows of 64 in fp32, 2.56 MB each.
TEST(AdsModels, SmallTablesCostLittleEverywhere) {
  const double cut = tables_on_fullest_rank(sim::EmbeddingPlan::row_wise, 0);
  const double copied = tables_on_fullest_rank(sim::EmbeddingPlan::row_wise, 8);
  EXPECT_NEAR(copied - cut, 200 * 2.56e6 * (127.0 / 128.0), 0.01e9);
}

}  // namespace
}  // namespace cubicbench::scenarios
