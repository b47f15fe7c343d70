#include "results/validation/validation_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/layout/markdown_table.h"
#include "results/validation/peer_table.h"
#include "results/validation/validation_notes.h"
#include "tests/results/validation/made_up_validation.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;

const char* const dash = no_figure;

SkippedRow skipped(const std::string& source, const std::string& reason) {
  SkippedRow row;
  row.id = "s";
  row.source = source;
  row.reason = reason;
  return row;
}

datasets::PeerResult peer(const std::string& part, const std::string& simulator, std::int64_t rows,
                          double mean) {
  datasets::PeerResult result;
  result.part = part;
  result.simulator = simulator;
  result.rows = rows;
  result.mean = mean;
  result.note = "as is";
  return result;
}

TEST(SourcesTable, HasTheFiguresOfTheSummary) {
  const ReportTable table = sources_table(made_up_validation(), made_up_summaries());
  ASSERT_EQ(table.rows.size(), 2U);  // collectives have a table of their own
  EXPECT_THAT(table.rows[0], ElementsAre("runs <one>", dash, "8", "1", "88.9 %", "7", "10.0 %",
                                         "19.3 %", "42.0 %", "-10.0 %", "0.600", "80.0 %"));
  EXPECT_EQ(table.rows[1][0], "all runs");
  EXPECT_EQ(table.rows[1][2], "8");  // as the lines above it, without collectives
  EXPECT_EQ(table.rows[1][5], "7");
}

TEST(SourcesTable, HasDashesForFiguresWithoutRows) {
  Summaries summaries;
  summaries.sources["empty"] = {};
  const ReportTable table = sources_table({}, summaries);
  EXPECT_THAT(table.rows[0],
              ElementsAre("empty", dash, "0", "0", dash, "0", dash, dash, dash, dash, dash, dash));
}

TEST(CollectivesTable, HasMedianAndPercentileOfEachSize) {
  const ReportTable table = collectives_table(made_up_validation(), made_up_summaries());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0], ElementsAre("nccl", dash, "2", "0", "100.0 %", "2", "50.0 %", "90.0 %",
                                         "+50.0 %", "100.0 % / 100.0 %", "0.0 % / 0.0 %", dash));
  EXPECT_EQ(table.rows[1][0], "all collectives");
  EXPECT_EQ(table.rows[1][2], "2");
}

TEST(CollectivesTable, HasSourcesOfWhichEveryRowIsSkipped) {
  Validation validation;
  validation.skipped.push_back(skipped("points", "needs tpu"));
  validation.skipped.back().kind = RowKind::collective;
  Summaries summaries;
  summaries.sources["points"] = {};
  EXPECT_EQ(collectives_table(validation, summaries).rows.size(), 2U);  // and all of them
  const ReportTable runs = sources_table(validation, summaries);
  ASSERT_EQ(runs.rows.size(), 1U);
  EXPECT_EQ(runs.rows[0][3], "0");  // none of the skipped rows is a run
}

TEST(PartsTable, CountsRowsOfThePart) {
  const ReportTable table = parts_table(made_up_validation(), made_up_summaries());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "sc21");
  EXPECT_EQ(table.rows[0][1], dash);  // of runs of one's own
  EXPECT_EQ(table.rows[0][2], "5");
}

TEST(VerdictsTable, HasTheFourCounts) {
  const ReportTable table = verdicts_table(made_up_summaries());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0],
              ElementsAre("runs <one>", "0", "1", "0", "2", "50.0 %", "1.000", "0.0 %"));
}

TEST(HungTable, HasASourceALine) {
  const ReportTable table = hung_table(made_up_validation());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0], ElementsAre("runs <one>", "1", "7", "4.0", "4.0"));
}

TEST(SkippedTable, HasTheMostFrequentReasonFirst) {
  Validation validation = made_up_validation();
  for (const char* const source : {"z", "y"}) {
    validation.skipped.push_back(skipped(source, "needs tpu"));
  }
  const ReportTable table = skipped_table(validation);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0], ElementsAre("needs tpu", "2", "y (1), z (1)"));
  EXPECT_THAT(table.rows[1], ElementsAre("needs mixture_of_experts", "1", "runs <one>"));
}

TEST(SkippedTable, SumsUpRareReasons) {
  Validation validation;
  for (int i = 0; i < 43; ++i) {
    validation.skipped.push_back(skipped("z", "r" + std::to_string(i)));
  }
  const ReportTable table = skipped_table(validation);
  ASSERT_EQ(table.rows.size(), 41U);
  EXPECT_THAT(table.rows.back(), ElementsAre("other reasons (3)", "3", dash));
}

TEST(PeerTable, HasOursAboveTheirs) {
  // Errors of sc21: 10, 10, 20, 20 and 75 %. Mean 27 %, median 20 %, 90 % at 20 + 0.6 * 55 = 53 %.
  datasets::PeerResults peers;
  peers.results = {peer("sc21", "Peer", 5, 0.074), peer("sc21", "Claim", 6, 0.5),
                   peer("other", "Peer", 5, 0.1)};
  peers.results[0].max = 0.121;
  peers.results[1].basis = datasets::PeerBasis::claimed;
  const ReportTable table = peer_table(made_up_validation(), peers);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.rows[0], ElementsAre("sc21", "step time", "cubicbench", "5", dash, "27.0 %",
                                         "20.0 %", "53.0 %", "75.0 %", dash, "as shipped"));
  EXPECT_THAT(table.rows[1], ElementsAre("sc21", "step time", "Peer", "5", "yes", "7.40 %", dash,
                                         dash, "12.1 %", dash, "we ran it, as is"));
  EXPECT_THAT(table.rows[2], ElementsAre("sc21", "step time", "Claim", "6", "no", "50.0 %", dash,
                                         dash, dash, dash, "its authors' claim, as is"));
}

TEST(PeerTable, SaysWhatOursAreWorth) {
  datasets::PeerResults peers;
  peers.results = {peer("sc21", "Peer", 5, 0.074)};
  peers.ours = {{"sc21", datasets::PeerQuantity::memory, "of memory", datasets::Fitted::no},
                {"sc21", datasets::PeerQuantity::step_time, "in-sample", datasets::Fitted::partly}};
  const ReportTable table = peer_table(made_up_validation(), peers);
  EXPECT_EQ(table.rows[0].back(), "in-sample");
  EXPECT_EQ(table.rows[0][9], "partly");
  EXPECT_EQ(table.rows[1][9], dash);
}

TEST(RanksTable, HasALineASourceWithGroups) {
  Summaries summaries = made_up_summaries();
  summaries.sources["runs <one>"].pair_kendall_5pct = 0.75;
  summaries.sources["runs <one>"].group_top1_share = 0.0;
  const ReportTable table = ranks_table(summaries);
  ASSERT_EQ(table.rows.size(), 2U);  // collectives have no groups
  EXPECT_THAT(table.rows[0], ElementsAre("runs <one>", "1", "0.600", "0.750", "80.0 %", "0.0 %"));
  EXPECT_EQ(table.rows[1][0], "all runs");
}

TEST(GroupsTable, HasTheWorstOrderFirst) {
  const std::vector<RankedGroup> groups{
      {.source = "s", .group = "good", .rows = 5, .tau = 0.9, .top1_ratio = 1.0},
      {.source = "s", .group = "bad", .rows = 6, .tau = -0.2, .top1_ratio = 0.5},
      {.source = "s", .group = "as bad", .rows = 7, .tau = -0.2, .top1_ratio = 0.6}};
  const ReportTable table = groups_table(groups);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.rows[0], ElementsAre("bad", "s", "6", "-0.200", "50.0 %"));
  EXPECT_EQ(table.rows[1][0], "as bad");
  EXPECT_EQ(table.rows[2][0], "good");
}

TEST(InSample, IsSaidOfSourcesAndPartsThatAreKnown) {
  Validation validation;
  for (const char* const source : {"mine", "training_throughput", "vtrain"}) {
    validation.rows.push_back(made_up_run("r", source, "g", 1.0, 1.0));
  }
  const ReportTable table = sources_table(validation, summaries_of(validation));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.columns[1].heading, "In-sample");
  EXPECT_EQ(table.rows[0][1], dash);
  EXPECT_EQ(table.rows[1][1], "no");
  EXPECT_EQ(table.rows[2][1], "yes");
  const std::vector<std::string> lines = in_sample_lines(summaries_of(validation));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], testing::StartsWith("training_throughput: no, "));
  EXPECT_THAT(lines[1], testing::StartsWith("vtrain: yes, "));
}

TEST(PartsTable, SaysWhatWasFittedOnlyWhereAllSourcesShip) {
  Validation validation;
  validation.rows.push_back(made_up_run("r", "papers_and_reports", "g", 1.0, 1.0));
  validation.rows.back().parts = {"sc21"};
  EXPECT_EQ(parts_table(validation, summaries_of(validation)).rows.at(0)[1], "no");
  EXPECT_EQ(in_sample_lines(summaries_of(validation)).size(), 2U);
  validation.rows.front().source = "mine";
  EXPECT_EQ(parts_table(validation, summaries_of(validation)).rows.at(0)[1], dash);
  EXPECT_TRUE(in_sample_lines(summaries_of(validation)).empty());
}

TEST(SignedPercent, HasItsSign) {
  EXPECT_EQ(signed_percent(0.034), "+3.4 %");
  EXPECT_EQ(signed_percent(-0.034), "-3.4 %");
  EXPECT_EQ(signed_percent(0.0), "+0.0 %");
  EXPECT_EQ(signed_percent(-0.0), "-0.0 %");
}

TEST(MarkdownTable, TakesTextsLiterally) {
  EXPECT_EQ(markdown_table({{"A|B"}, {"n", true}}, {{"<x> `y`\n*z*", "1"}}),
            "| A\\|B | n |\n|---|---:|\n| \\<x\\> \\`y\\` \\*z\\* | 1 |\n");
}

}  // namespace
}  // namespace cubicbench::results
