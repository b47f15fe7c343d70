#include "datasets/validation/oom_verdicts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/philox.h"
#include "tests/datasets/validation/made_rows.h"
#include "tests/datasets/validation/made_up_validation.h"

namespace cubicbench::datasets {
namespace {

OomSummary verdicts_of(const std::vector<ValidatedRow>& rows) {
  return oom_verdicts(all_rows(rows));
}

TEST(OomVerdicts, AreCountedByWhoSaysSo) {
  std::vector<ValidatedRow> rows{memory_row(true, 90, 80),  memory_row(true, 100, 80),
                                 memory_row(true, 70, 80),  memory_row(false, 85, 80),
                                 memory_row(false, 40, 80), memory_row(false, 50, 80),
                                 memory_row(false, 60, 80)};
  rows[1].status_simulated = sim::StepStatus::oom_init;  // at the start or later: both are failures
  const OomSummary verdicts = verdicts_of(rows);
  EXPECT_EQ(verdicts.tp, 2);
  EXPECT_EQ(verdicts.fn, 1);
  EXPECT_EQ(verdicts.fp, 1);
  EXPECT_EQ(verdicts.tn, 3);
  EXPECT_NEAR(*verdicts.balanced_accuracy, (2.0 / 3.0 + 3.0 / 4.0) / 2.0, 1e-12);
  // Of 3 x 4 pairs one is the wrong way round: a failure at 70 and a success at 85.
  EXPECT_NEAR(*verdicts.auroc, 11.0 / 12.0, 1e-12);
}

TEST(OomVerdicts, NeedBothOutcomes) {
  const OomSummary verdicts = verdicts_of({memory_row(false, 1, 2), memory_row(false, 3, 2)});
  EXPECT_EQ(verdicts.tn, 1);
  EXPECT_EQ(verdicts.fp, 1);
  EXPECT_EQ(verdicts.balanced_accuracy, std::nullopt);
  EXPECT_EQ(verdicts.auroc, std::nullopt);
  EXPECT_EQ(verdicts.ladder_edges, std::nullopt);
  EXPECT_EQ(verdicts_of({}).auroc, std::nullopt);
}

TEST(OomVerdicts, CollectivesHaveNone) {
  ValidatedRow row = memory_row(false, 0, 0);
  row.kind = RowKind::collective;
  row.memory = {};
  EXPECT_EQ(verdicts_of({row}).tn, 0);
}

TEST(OomVerdicts, DemandIsSeenAgainstTheDeviceItIsOn) {
  // 60 of 40 is worse than 70 of 80.
  EXPECT_EQ(verdicts_of({memory_row(true, 60, 40), memory_row(false, 70, 80)}).auroc, 1.0);
  EXPECT_EQ(verdicts_of({memory_row(true, 40, 80), memory_row(false, 20, 40)}).auroc, 0.5);
}

TEST(OomVerdicts, AurocIsTheShareOfPairsInOrder) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<ValidatedRow> rows{memory_row(true, 5, 10), memory_row(false, 5, 10)};
    for (std::uint32_t i = 0; i < 20; ++i) {
      const auto drawn = sim::philox4x32({i, 0, 0, 0}, {seed, 0});
      rows.push_back(memory_row(drawn[0] % 3 == 0, 1 + drawn[1] % 8, 10));
    }
    double ordered = 0.0;
    double pairs = 0.0;
    for (const ValidatedRow& failure : rows) {
      for (const ValidatedRow& success : rows) {
        if (failure.status_measured != MeasurementStatus::oom ||
            success.status_measured == MeasurementStatus::oom) {
          continue;
        }
        pairs += 1.0;
        if (*failure.memory.demand == *success.memory.demand) ordered += 0.5;
        if (*failure.memory.demand > *success.memory.demand) ordered += 1.0;
      }
    }
    EXPECT_NEAR(*verdicts_of(rows).auroc, ordered / pairs, 1e-12);
  }
}

struct Rung {
  std::int64_t micro_batch;
  bool failed;
  double demand;  ///< of 80
};

void append(const std::string& ladder, const std::vector<Rung>& rungs,
            std::vector<ValidatedRow>& rows) {
  for (const Rung& rung : rungs) {
    rows.push_back(memory_row(rung.failed, rung.demand, 80, ladder, rung.micro_batch));
  }
}

TEST(OomVerdicts, EdgesOfALadderAreRightWhenBothAre) {
  struct Case {
    const char* name;
    std::vector<Rung> rungs;
    std::optional<double> expected;
  };
  for (const Case& c :
       {Case{"both right", {{1, false, 40}, {2, false, 70}, {4, true, 90}}, 1.0},
        Case{"the last that fits is missed", {{1, false, 40}, {2, false, 81}, {4, true, 90}}, 0.0},
        Case{"the first that fails is missed", {{2, false, 70}, {4, true, 79}, {8, true, 99}}, 0.0},
        Case{"what is wrong far from the edge has no say",
             {{1, false, 85}, {2, false, 70}, {4, true, 90}, {8, true, 10}},
             1.0},
        Case{"repeats of an edge are all right",
             {{2, false, 70}, {2, false, 81}, {4, true, 90}},
             0.0},
        Case{"in any order", {{4, true, 90}, {1, false, 40}, {2, false, 70}}, 1.0},
        Case{"successes alone are no ladder", {{1, false, 40}, {2, false, 90}}, std::nullopt},
        Case{"nor are failures", {{1, true, 40}}, std::nullopt}}) {
    SCOPED_TRACE(c.name);
    std::vector<ValidatedRow> rows;
    append("ladder", c.rungs, rows);
    EXPECT_EQ(verdicts_of(rows).ladder_edges, c.expected);
  }
}

TEST(OomVerdicts, EveryLadderCountsOnceAndRowsWithoutOneNever) {
  std::vector<ValidatedRow> rows;
  append("a", {{1, false, 70}, {2, true, 90}}, rows);
  append("b", {{1, false, 70}, {2, false, 75}, {4, true, 90}}, rows);
  append("c", {{1, false, 90}, {2, true, 95}}, rows);
  append("", {{1, false, 90}, {2, true, 10}}, rows);
  EXPECT_NEAR(*verdicts_of(rows).ladder_edges, 2.0 / 3.0, 1e-12);
}

TEST(MemoryLadders, CompareBothEdges) {
  Validation validation = made_up_validation();
  std::vector<MemoryLadder> ladders = memory_ladders(all_rows(validation.rows));
  ASSERT_EQ(ladders.size(), 1U);
  EXPECT_EQ(ladders[0].fits_last, 2);
  EXPECT_EQ(ladders[0].fails_first, 4);
  EXPECT_TRUE(ladders[0].fits_said);
  EXPECT_FALSE(ladders[0].fails_said);  // 79 of 80 GiB
  EXPECT_FALSE(ladders[0].right());
  validation.rows[7].status_simulated = sim::StepStatus::oom_late;
  EXPECT_TRUE(memory_ladders(all_rows(validation.rows))[0].right());
  // A second run of the last that fits, said not to: the edge is wrong.
  validation.rows.push_back(validation.rows[6]);
  validation.rows.back().status_simulated = sim::StepStatus::oom_init;
  EXPECT_FALSE(memory_ladders(all_rows(validation.rows))[0].fits_said);
  validation.rows.pop_back();
  // Without a row that failed there is no edge.
  validation.rows.erase(validation.rows.begin() + 7);
  EXPECT_TRUE(memory_ladders(all_rows(validation.rows)).empty());
}

}  // namespace
}  // namespace cubicbench::datasets
