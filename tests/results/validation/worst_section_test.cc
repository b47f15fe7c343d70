#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/validation/validation_sections.h"
#include "tests/datasets/validation/made_up_validation.h"
#include "tests/results/validation/document_parts.h"

namespace cubicbench::results {
namespace {

using datasets::made_up_collective;
using datasets::made_up_run;
using datasets::made_up_validation;
using datasets::ValidatedRow;
using datasets::Validation;
using testing::HasSubstr;

Document worst(const Validation& validation) {
  Document document;
  add_worst(validation, summaries_of(validation), document);
  return document;
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

TEST(WorstSection, HasTheRowsThatAreFurthestOffEitherWayFirst) {
  const Document document = worst(made_up_validation());
  const Table table = table_under(document, "worst");
  // 8 / 2 is furthest off and hung; 1.25 / 1 is further off than 4.8 / 4 = 1.2, that than 2 / 1.8.
  EXPECT_THAT(column_of(table, "id"),
              testing::ElementsAre("run5", "run4", "run3", "run2", "a&b", "m1", "m2"));
  EXPECT_THAT(column_of(table, "ratio"), testing::Contains("0.250"));
  EXPECT_THAT(column_of(table, "hung"),
              testing::ElementsAre("yes", "no", "no", "no", "no", "no", "no"));
  EXPECT_EQ(column_of(table, "shares")[0], "matrix products 75.0 %, waiting for the host 25.0 %");
  const std::string csv = file_of(document, "worst.csv");
  EXPECT_THAT(csv, testing::StartsWith("id,source,group,step_time_s_measured,step_time_s_simulated,"
                                       "ratio,hung,gemm_s,"));
  EXPECT_THAT(csv, HasSubstr("\nrun5,runs <one>,model|8,8,2,0.25,1,1.5,"));
  EXPECT_THAT(csv, HasSubstr("\nrun4,runs <one>,model|8,1.25,1,0.8,0,0.75,"));
}

TEST(WorstSection, ListsThoseThatHungBySourceAndRow) {
  const Document document = worst(made_up_validation());
  EXPECT_THAT(texts_of(table_under(document, "hung"), 0),
              testing::ElementsAre("runs <one>", "1", "7", "4.0", "4.0"));
  EXPECT_THAT(texts_of(table_under(document, "hung", 1), 0),
              testing::ElementsAre("run5", "runs <one>", "8.000 s", "2.000 s", "0.250"));
  EXPECT_THAT(terminal_text(document), HasSubstr("1 of the 7 timed runs took more than three"));
  EXPECT_THAT(file_of(document, "hung.csv"), HasSubstr("\nrun5,"));
}

TEST(WorstSection, NamesTwentyAndCountsTheRest) {
  Validation validation;
  for (int i = 0; i < 31; ++i) {
    validation.rows.push_back(made_up_run("r" + std::to_string(i), "s", "g", 4.0, 1.0));
  }
  EXPECT_THAT(terminal_text(worst(validation)), HasSubstr("\nand 11 more\n"));
}

TEST(WorstSection, SaysNothingInATerminalWhereNoRunHung) {
  Validation validation;
  validation.rows = {made_up_run("r", "s", "g", 1.0, 1.0)};
  EXPECT_EQ(terminal_text(worst(validation)), "");
  EXPECT_THAT(page_of(worst(validation)).html, HasSubstr("No run took more than three times"));
  EXPECT_TRUE(worst({}).blocks.empty());
}

}  // namespace
}  // namespace cubicbench::results
