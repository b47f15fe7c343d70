#include "results/validation/row_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/validation/summary.h"
#include "results/validation/worst_rows.h"
#include "tests/results/validation/made_up_validation.h"

namespace cubicbench::results {
namespace {

TEST(RankedGroups, HaveTauAndTheRowPutFirst) {
  const Validation validation = made_up_validation();
  const std::vector<RankedGroup> groups = ranked_groups(validation);
  ASSERT_EQ(groups.size(), 1U);  // the ladder's has two timed rows, collectives have none
  EXPECT_EQ(groups[0].group, "model|8");
  EXPECT_EQ(groups[0].rows, 5);
  // Measured, fastest first: 1, 4, 2, 3, 5. Simulated: 4, 1, 2, 5, 3. Of ten pairs (1, 4) and
  // (3, 5) stand the other way round: (8 - 2) / 10.
  EXPECT_NEAR(groups[0].tau, 0.6, 1e-12);
  EXPECT_NEAR(groups[0].top1_ratio, 1.0 / 1.25, 1e-12);  // run4 over a&b
}

TEST(MemoryLadders, CompareBothEdges) {
  Validation validation = made_up_validation();
  std::vector<MemoryLadder> ladders = memory_ladders(validation);
  ASSERT_EQ(ladders.size(), 1U);
  EXPECT_EQ(ladders[0].fits_last, 2);
  EXPECT_EQ(ladders[0].fails_first, 4);
  EXPECT_TRUE(ladders[0].fits_said);
  EXPECT_FALSE(ladders[0].fails_said);  // 79 of 80 GiB
  EXPECT_FALSE(ladders[0].right());
  validation.rows[7].status_simulated = sim::StepStatus::oom_late;
  EXPECT_TRUE(memory_ladders(validation)[0].right());
  // A second run of the last that fits, said not to: the edge is wrong.
  validation.rows.push_back(validation.rows[6]);
  validation.rows.back().status_simulated = sim::StepStatus::oom_init;
  EXPECT_FALSE(memory_ladders(validation)[0].fits_said);
  validation.rows.pop_back();
  // Without a row that failed there is no edge.
  validation.rows.erase(validation.rows.begin() + 7);
  EXPECT_TRUE(memory_ladders(validation).empty());
}

TEST(RankedGroups, ShareTheFirstPlace) {
  Validation validation = made_up_validation();
  validation.rows[0].throughput_simulated = validation.rows[3].throughput_simulated;
  EXPECT_NEAR(ranked_groups(validation)[0].top1_ratio, 0.9, 1e-12);  // mean of 1 and 0.8
}

/// The summary computes the same from the rows by itself.
TEST(RankedGroups, AgreeWithTheSummary) {
  Validation validation = made_up_validation();
  for (int i = 1; i <= 12; ++i) {
    const double measured = 1.0 + (i * 7 % 11);
    const double simulated = 1.0 + (i * 5 % 7);  // with ties, for the first place too
    validation.rows.push_back(
        made_up_run("x", "other", i % 2 == 0 ? "even" : "odd", measured, simulated));
  }
  validation.rows[7].status_simulated = sim::StepStatus::oom_late;
  const Summary summary = summaries_of(validation).overall;
  const std::vector<RankedGroup> groups = ranked_groups(validation);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(summary.families_ranked, 3);
  std::vector<double> taus;
  double ratios = 0.0;
  for (const RankedGroup& group : groups) {
    taus.push_back(group.tau);
    ratios += group.top1_ratio;
  }
  std::ranges::sort(taus);
  EXPECT_NEAR(*summary.family_kendall_median, taus[1], 1e-12);
  EXPECT_NEAR(*summary.group_top1_ratio, ratios / 3.0, 1e-12);
  EXPECT_EQ(*summary.oom.ladder_edges, memory_ladders(validation)[0].right() ? 1.0 : 0.0);
}

TEST(Hung, AreRunsSlowerThanThreeTimesTheSimulatedTime) {
  EXPECT_TRUE(is_hung(made_up_run("r", "s", "g", 3.01, 1.0)));
  EXPECT_FALSE(is_hung(made_up_run("r", "s", "g", 3.0, 1.0)));
  EXPECT_FALSE(is_hung(made_up_run("r", "s", "g", 1.0, 5.0)));
  EXPECT_FALSE(is_hung(made_up_collective("c", 8.0, 9.0, 1.0)));
  ValidatedRow untimed = made_up_run("r", "s", "g", 9.0, 1.0);
  untimed.step_time_simulated.reset();
  EXPECT_FALSE(is_hung(untimed));
}

TEST(WorstRows, AreFurthestOffEitherWay) {
  const Validation validation = made_up_validation();
  // 8 / 2 is furthest off and hung; 1.25 / 1 is further off than 4.8 / 4 = 1.2, that than 2 / 1.8.
  const auto worst = worst_rows(validation, 4);
  ASSERT_EQ(worst.size(), 4U);
  EXPECT_EQ(worst[0]->id, "run5");
  EXPECT_EQ(worst[1]->id, "run4");
  EXPECT_EQ(worst[2]->id, "run3");
  EXPECT_EQ(worst[3]->id, "run2");
  const auto hung = hung_rows(validation);
  ASSERT_EQ(hung.size(), 1U);
  EXPECT_EQ(hung[0]->id, "run5");
  const std::string table = worst_rows_table(worst);
  EXPECT_THAT(table, testing::HasSubstr("matrix products 75.0 %"));
  EXPECT_THAT(table, testing::HasSubstr(">0.250 *<"));  // marked
  EXPECT_THAT(table, testing::HasSubstr(">0.800<"));
  EXPECT_THAT(worst_rows_csv(worst),
              testing::HasSubstr("\nrun5,runs <one>,model|8,8,2,0.25,1,1.5,"));
  EXPECT_THAT(worst_rows_csv(worst),
              testing::HasSubstr("\nrun4,runs <one>,model|8,1.25,1,0.8,0,0.75,"));
}

}  // namespace
}  // namespace cubicbench::results
