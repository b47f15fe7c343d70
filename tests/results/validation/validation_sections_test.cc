#include "results/validation/validation_sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/validation/made_up_validation.h"
#include "tests/results/validation/document_parts.h"
#include "tests/results/validation/made_up_summaries.h"

namespace cubicbench::results {
namespace {

using datasets::made_up_collective;
using datasets::made_up_run;
using datasets::made_up_validation;
using datasets::RowKind;
using datasets::skipped_row;
using datasets::ValidatedRow;
using datasets::Validation;
using testing::ElementsAre;
using testing::HasSubstr;

const char* const unknown_cell = "\xE2\x80\x93";

using Section = void (*)(const Validation&, const Summaries&, Document&);

Document section_of(Section add, const Validation& validation, const Summaries& summaries) {
  Document document;
  add(validation, summaries, document);
  return document;
}

Document section_of(Section add, const Validation& validation) {
  return section_of(add, validation, summaries_of(validation));
}

/// Columns of a table of errors, which may have more.
Table errors_in(const Table& table) {
  return chosen(table, {"name", "in_sample", "rows", "skipped", "n", "coverage",
                        "median_abs_rel_error", "mean_abs_rel_error", "p90_abs_rel_error", "bias"});
}

Document made_up(Section add) { return section_of(add, made_up_validation(), made_up_summaries()); }

TEST(TimesSection, HasTheFiguresOfTheSummary) {
  const Document document = made_up(add_times);
  const Table table = errors_in(table_under(document, "sources"));
  ASSERT_EQ(table.rows.size(), 1U);  // collectives have a table of their own; one source is all
  EXPECT_THAT(texts_of(table, 0), ElementsAre("runs <one>", unknown_cell, "8", "1", "7", "88.9 %",
                                              "10.0 %", "19.3 %", "42.0 %", "-10.0 %"));
  const Table parts = errors_in(table_under(document, "parts"));
  ASSERT_EQ(parts.rows.size(), 1U);
  EXPECT_THAT(texts_of(parts, 0), ElementsAre("sc21", unknown_cell, "8", "1", "7", "88.9 %",
                                              "10.0 %", "19.3 %", "42.0 %", "-10.0 %"));
  EXPECT_THAT(terminal_text(document), HasSubstr("\nsource      sample  rows"));
}

TEST(TimesSection, HasALineOfAllWhereThereAreSeveral) {
  Summaries summaries = made_up_summaries();
  summaries.sources["empty"].has_runs = true;
  const Table table =
      errors_in(table_under(section_of(add_times, made_up_validation(), summaries), "sources"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(texts_of(table, 0),
              ElementsAre("empty", unknown_cell, "0", "0", "0", unknown_cell, unknown_cell,
                          unknown_cell, unknown_cell, unknown_cell));
  EXPECT_EQ(texts_of(table, 2)[0], "all runs");
  EXPECT_EQ(texts_of(table, 2)[2], "8");
}

TEST(TimesSection, HasALineOfAllWhereAFileHoldsRowsOfEveryKind) {
  Validation validation = made_up_validation();
  for (ValidatedRow& row : validation.rows) row.source = "runs <one>";
  const Table table = errors_in(table_under(section_of(add_times, validation), "sources"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(texts_of(table, 0)[2], "10");
  EXPECT_EQ(texts_of(table, 1)[2], "8");
}

/// Summaries of the runs alone, as Strangers has them.
Summaries runs_with_median(double median) {
  Summaries summaries = made_up_summaries();
  summaries.sources.erase("nccl");
  for (Summary* of :
       {&summaries.runs, &summaries.sources.at("runs <one>"), &summaries.parts.at("sc21")}) {
    of->median_abs_rel_error = median;
  }
  return summaries;
}

Strangers made_up_strangers() {
  return {.stack = "megatron-2021",
          .in_sample = runs_with_median(0.1),
          .one_for_all = runs_with_median(0.2),
          .unnamed = runs_with_median(0.3),
          .left_out = std::nullopt};
}

TEST(StrangersSection, HasEachSourceAndPartInEveryWay) {
  Document document;
  add_strangers(made_up_strangers(), document);
  const Table sources = table_under(document, "strangers");
  ASSERT_EQ(sources.rows.size(), 2U);  // the source and all
  EXPECT_THAT(texts_of(sources, 0),
              ElementsAre("runs <one>", "7", "10.0 % / 19.3 % / 42.0 %", "20.0 % / 19.3 % / 42.0 %",
                          "30.0 % / 19.3 % / 42.0 %"));
  const Table parts = table_under(document, "strangers", 1);
  ASSERT_EQ(parts.rows.size(), 1U);
  EXPECT_EQ(texts_of(parts, 0).front(), "sc21");
  EXPECT_THAT(markdown_text(document),
              HasSubstr("with the constants of megatron-2021 on all rows"));
}

TEST(StrangersSection, HasSourcesLeftOutWhereTheyWere) {
  Strangers strangers = made_up_strangers();
  Document none;
  add_sources_left_out(strangers, none);
  EXPECT_TRUE(none.blocks.empty());
  strangers.left_out = runs_with_median(0.4);
  strangers.left_out->parts.clear();  // no run of it can be simulated so
  Document document;
  add_sources_left_out(strangers, document);
  EXPECT_THAT(
      texts_of(table_under(document, "sources-left-out"), 0),
      ElementsAre("runs <one>", "7", "10.0 % / 19.3 % / 42.0 %", "40.0 % / 19.3 % / 42.0 %"));
  EXPECT_EQ(texts_of(table_under(document, "sources-left-out", 1), 0).back(), unknown_cell);
}

TEST(StrangersSection, SaysNothingOfNothing) {
  Document document;
  const Strangers nothing{
      .stack = "x", .in_sample = {}, .one_for_all = {}, .unnamed = {}, .left_out = Summaries{}};
  add_strangers(nothing, document);
  add_sources_left_out(nothing, document);
  EXPECT_TRUE(document.blocks.empty());
}

TEST(CollectivesSection, HasMedianAndPercentileOfEachSize) {
  const Document document = made_up(add_collectives);
  EXPECT_THAT(texts_of(errors_in(table_under(document, "collectives")), 0),
              ElementsAre("nccl", unknown_cell, "2", "0", "2", "100.0 %", "50.0 %", unknown_cell,
                          "90.0 %", "+50.0 %"));
  EXPECT_THAT(
      texts_of(table_under(document, "collectives", 1), 0),
      ElementsAre("nccl", "100.0 %", "0.0 %", unknown_cell, "200.0 %", "0.0 %", unknown_cell));
}

TEST(CollectivesSection, HasSourcesOfWhichEveryRowIsSkipped) {
  Validation validation;
  validation.skipped.push_back(skipped_row("s", "points", "needs tpu"));
  validation.skipped.back().kind = RowKind::collective;
  const Table table =
      errors_in(table_under(section_of(add_collectives, validation), "collectives"));
  EXPECT_THAT(texts_of(table, 0),
              ElementsAre("points", unknown_cell, "0", "1", "0", "0.0 %", unknown_cell,
                          unknown_cell, unknown_cell, unknown_cell));
  EXPECT_EQ(terminal_text(section_of(add_times, validation)), "");  // none of them is a run
}

TEST(CollectivesSection, HasTheWorstCrossoverFirst) {
  Validation validation;
  constexpr double mebibyte = 0x1p20;
  const auto time_of = [](double size, double crossing) {
    return std::min(20e-6 + size / 10e9, 20e-6 + crossing * (1 / 10e9 - 1 / 200e9) + size / 200e9);
  };
  for (const double simulated : {3.0, 16.0}) {
    for (double size = 1024.0; size <= 1024.0 * mebibyte; size *= 2.0) {
      validation.rows.push_back(made_up_collective("c", size, time_of(size, 2.0 * mebibyte),
                                                   time_of(size, simulated * mebibyte)));
      validation.rows.back().group += std::to_string(simulated);
    }
  }
  const Document document = section_of(add_collectives, validation);
  const Table table = table_under(document, "collectives", 2);
  EXPECT_THAT(column_of(table, "simulated_mib"), ElementsAre("16.00", "3.00"));
  EXPECT_THAT(column_of(table, "factor"), ElementsAre("8.0", "1.5"));
  EXPECT_THAT(terminal_text(document), HasSubstr("Of 2 measured"));
  EXPECT_THAT(terminal_text(document), HasSubstr("50.0 % are simulated"));
  EXPECT_THAT(file_of(document, "crossovers.csv"),
              testing::StartsWith("source,system,collective,n_gpus,measured_bytes,"));
}

TEST(MemorySection, HasTheFourCounts) {
  const Document document = made_up(add_memory);
  const Table verdicts = chosen(table_under(document, "memory"),
                                {"name", "oom.tp", "oom.fp", "oom.tn", "oom.fn",
                                 "oom.balanced_accuracy", "oom.auroc", "oom.ladder_edges"});
  EXPECT_THAT(texts_of(verdicts, 0),
              ElementsAre("runs <one>", "0", "0", "2", "1", "0.500", "1.000", "0.000"));
  EXPECT_THAT(terminal_text(document), HasSubstr("Of 1 ladder, 0 have both edges right."));
}

TEST(MemorySection, HasErrorsOfPeaksAndOfWhatStays) {
  Validation validation;
  ValidatedRow row = made_up_run("r", "s", "g", 1.0, 1.0);
  row.memory.peak_measured = 10.0;
  row.memory.peak_simulated = 12.0;
  row.memory.static_measured = 4.0;
  row.memory.static_simulated = 3.0;
  validation.rows = {row};
  const Table errors =
      chosen(table_under(section_of(add_memory, validation), "memory", 1),
             {"name", "memory.n", "memory.median_abs_rel_error", "memory.p90_abs_rel_error",
              "static.n", "static.median_abs_rel_error", "static.p90_abs_rel_error"});
  EXPECT_THAT(texts_of(errors, 0),
              ElementsAre("s", "1", "20.0 %", "20.0 %", "1", "25.0 %", "25.0 %"));
}

Table ranks_in(const Table& table) {
  return chosen(table, {"name", "family_kendall_median", "families_ranked", "pair_kendall_5pct",
                        "group_top1_share", "group_top1_ratio"});
}

TEST(RanksSection, HasALineASourceWithGroups) {
  Summaries summaries = made_up_summaries();
  summaries.sources["runs <one>"].ranks.pair_kendall_5pct = 0.75;
  summaries.sources["runs <one>"].ranks.top1_share = 0.0;
  const Document document = section_of(add_ranks, made_up_validation(), summaries);
  const Table table = ranks_in(table_under(document, "ranking"));
  ASSERT_EQ(table.rows.size(), 1U);  // collectives have no groups
  EXPECT_THAT(texts_of(table, 0),
              ElementsAre("runs <one>", "0.600", "1", "0.750", "0.0 %", "0.800"));
  EXPECT_THAT(texts_of(ranks_in(table_under(document, "ranking", 1)), 0),
              ElementsAre("sc21", "0.600", "1", unknown_cell, unknown_cell, "0.800"));
}

TEST(RanksSection, HasTheWorstOrderFirstAndFoldsTheRest) {
  Validation validation;
  for (int group = 0; group < 27; ++group) {
    const double last = group == 20 ? 0.5 : 5.0;  // is put first instead of last
    for (int i = 1; i <= 5; ++i) {
      validation.rows.push_back(
          made_up_run("r", "s", "g" + std::to_string(group), 1.0 * i, i == 5 ? last : 1.0 * i));
    }
  }
  const Document document = section_of(add_ranks, validation);
  const Table table = table_under(document, "ranking", 2);  // no part has groups
  ASSERT_EQ(table.rows.size(), 27U);
  EXPECT_THAT(texts_of(table, 0), ElementsAre("s", "g20", "5", "0.200", "0.200"));
  EXPECT_EQ(texts_of(table, 1)[1], "g0");
  EXPECT_THAT(page_of(document).html, HasSubstr("<summary>2 more</summary>"));
  EXPECT_THAT(file_of(document, "groups.csv"),
              testing::StartsWith("source,group,rows,kendall,top1_ratio\ns,g0,5,1,1\n"));
}

TEST(RanksSection, SaysThatThereIsNoGroup) {
  Validation validation;
  validation.rows = {made_up_run("r", "s", "g", 1.0, 1.0)};
  EXPECT_THAT(terminal_text(section_of(add_ranks, validation)),
              HasSubstr("No group has five timed rows."));
}

datasets::PeerResult peer(const std::string& part, const std::string& simulator, std::int64_t rows,
                          double mean) {
  datasets::PeerResult result;
  result.part = part;
  result.simulator = simulator;
  result.rows = rows;
  result.mean = mean;
  result.note = "as is";
  result.source = "a paper";
  return result;
}

Document peers_of(const datasets::PeerResults& peers) {
  Document document;
  add_peers(made_up_validation(), peers, document);
  return document;
}

TEST(PeersSection, HasOursAboveTheirs) {
  // Errors of sc21: 10, 10, 20, 20 and 75 %. Mean 27 %, median 20 %, 90 % at 20 + 0.6 * 55 = 53 %.
  datasets::PeerResults peers;
  peers.results = {peer("sc21", "Peer", 5, 0.074), peer("sc21", "Claim", 6, 0.5),
                   peer("other", "Peer", 5, 0.1)};
  peers.results[0].max = 0.121;
  peers.results[1].basis = datasets::PeerBasis::claimed;
  const Document document = peers_of(peers);
  const Table table = table_under(document, "peers");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(texts_of(table, 0),
              ElementsAre("sc21", "step time", "cubicbench", "5", unknown_cell, "27.0 %", "20.0 %",
                          "53.0 %", "75.0 %", unknown_cell, "as shipped"));
  EXPECT_THAT(texts_of(table, 1),
              ElementsAre("sc21", "step time", "Peer", "5", "yes", "7.40 %", unknown_cell,
                          unknown_cell, "12.1 %", unknown_cell, "we ran it, as is"));
  EXPECT_THAT(texts_of(table, 2),
              ElementsAre("sc21", "step time", "Claim", "6", "no", "50.0 %", unknown_cell,
                          unknown_cell, unknown_cell, unknown_cell, "its authors' claim, as is"));
  EXPECT_THAT(markdown_text(document), HasSubstr("\n- sc21, Peer: a paper\n"));
}

TEST(PeersSection, SaysWhatOursAreWorth) {
  datasets::PeerResults peers;
  peers.results = {peer("sc21", "Peer", 5, 0.074)};
  peers.ours = {{"sc21", datasets::PeerQuantity::memory, "of memory", datasets::Fitted::no},
                {"sc21", datasets::PeerQuantity::step_time, "in-sample", datasets::Fitted::partly}};
  const Table table = table_under(peers_of(peers), "peers");
  EXPECT_THAT(column_of(table, "note"), ElementsAre("in-sample", "we ran it, as is"));
  EXPECT_THAT(column_of(table, "in_sample"), ElementsAre("partly", unknown_cell));
}

TEST(PeersSection, ComparesMemoryByPeaks) {
  datasets::PeerResults peers;
  peers.results = {peer("sc21", "Peer", 1, 0.1)};
  peers.results[0].quantity = datasets::PeerQuantity::memory;
  EXPECT_TRUE(peers_of(peers).blocks.empty());
  Validation validation = made_up_validation();
  validation.rows[0].memory.peak_measured = 10.0;
  validation.rows[0].memory.peak_simulated = 10.5;
  Document document;
  add_peers(validation, peers, document);
  EXPECT_THAT(texts_of(table_under(document, "peers"), 0),
              ElementsAre("sc21", "peak memory", "cubicbench", "1", unknown_cell, "5.00 %",
                          "5.00 %", "5.00 %", "5.00 %", unknown_cell, "as shipped"));
}

TEST(InSample, IsSaidOfSourcesAndPartsThatAreKnown) {
  Validation validation;
  for (const char* const source : {"maxtext_tpu_gpu", "mine", "vtrain"}) {
    validation.rows.push_back(made_up_run("r", source, "g", 1.0, 1.0));
  }
  const Document document = section_of(add_times, validation);
  EXPECT_THAT(column_of(table_under(document, "sources"), "in_sample"),
              ElementsAre("no", unknown_cell, "yes", unknown_cell));
  const std::vector<std::string> lines = in_sample_lines(summaries_of(validation));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], testing::StartsWith("maxtext_tpu_gpu: no, "));
  EXPECT_THAT(lines[1], testing::StartsWith("vtrain: yes, "));
  EXPECT_THAT(markdown_text(document), HasSubstr("\n- vtrain: yes, "));
}

TEST(InSample, IsSaidOfPartsOnlyWhereAllSourcesShip) {
  Validation validation;
  validation.rows.push_back(made_up_run("r", "papers_and_reports", "g", 1.0, 1.0));
  validation.rows.back().parts = {"sc21"};
  const auto fitted = [&] {
    return column_of(table_under(section_of(add_times, validation), "parts"), "in_sample");
  };
  EXPECT_THAT(fitted(), ElementsAre("yes"));
  EXPECT_EQ(in_sample_lines(summaries_of(validation)).size(), 2U);
  validation.rows.front().source = "mine";
  EXPECT_THAT(fitted(), ElementsAre(unknown_cell));
  EXPECT_TRUE(in_sample_lines(summaries_of(validation)).empty());
}

TEST(TimeFigure, HasABandOfTenPercentAndEqualAxes) {
  const Drawing drawing = drawing_of(made_up(add_times), "times-runs--one--0");
  const Figure& figure = drawing.figure;
  ASSERT_EQ(figure.series.size(), 4U);  // band, diagonal, rows, hung
  EXPECT_EQ(figure.x.min, figure.y.min);
  EXPECT_EQ(figure.x.max, figure.y.max);
  EXPECT_EQ(figure.x.label, "measured time, s");
  EXPECT_EQ(figure.y.label, "simulated time, s");
  const FigurePoint low = figure.series[0].points.front();
  EXPECT_EQ(low.x, figure.x.min);
  EXPECT_NEAR(low.y, 0.9 * low.x, 1e-15);
  EXPECT_NEAR(low.y_high, 1.1 * low.x, 1e-15);
  // The two rows of the ladder that ran are equal, so one of them is drawn.
  EXPECT_EQ(figure.series[2].points.size(), 5U);
  EXPECT_EQ(figure.series[3].points.size(), 1U);
  EXPECT_EQ(figure.series[3].points.front(), (FigurePoint{8.0, 2.0}));
  EXPECT_EQ(drawing.heading, "runs <one>");
  EXPECT_EQ(drawing.caption,
            "7 rows, of which 3 within 10 %. Triangles, below the band: 1 slower than three times "
            "the simulation.");
  EXPECT_THAT(drawing.csv, HasSubstr("\nrun5,model|8,8,2,-0.75\n"));
}

TEST(TimeFigure, OfCollectivesIsInMicroseconds) {
  const Drawing drawing = drawing_of(made_up(add_times), "times-nccl");
  EXPECT_EQ(drawing.figure.x.label, "measured time, us");
  ASSERT_EQ(drawing.figure.series.size(), 3U);
  EXPECT_NEAR(drawing.figure.series[2].points.front().x, 10.0, 1e-9);
  EXPECT_NEAR(drawing.figure.series[2].points.front().y, 20.0, 1e-9);
}

TEST(TimeFigure, StaysSmallWithThousandsOfRows) {
  Validation validation;
  for (int i = 0; i < 5000; ++i) {
    const double time = 1.0 + 0.002 * i;
    validation.rows.push_back(
        made_up_run("r", "many", "g", time, time * (i % 2 == 0 ? 1.05 : 0.8)));
  }
  // Two lines of marks, each through some 70 cells up and 70 across.
  const Drawing drawing = drawing_of(section_of(add_times, validation, {}), "times-many");
  EXPECT_LE(drawing.figure.series[2].points.size(), 280U);
  EXPECT_GE(drawing.figure.series[2].points.size(), 100U);
}

TEST(ErrorFigure, IsTheShareOfRowsBelowEachError) {
  const Drawing drawing = drawing_of(section_of(add_times, made_up_validation()), "errors");
  ASSERT_EQ(drawing.figure.series.size(), 1U);
  const std::vector<FigurePoint>& line = drawing.figure.series[0].points;
  ASSERT_EQ(line.size(), 7U);   // 0, 0, 10, 10, 20, 20, 75 %
  EXPECT_EQ(line[0].x, 0.001);  // which stands for nothing
  EXPECT_NEAR(line[1].y, 2.0 / 7.0, 1e-15);
  EXPECT_NEAR(line[3].x, 0.1, 1e-15);
  EXPECT_EQ(line[6].x, 0.75);
  EXPECT_EQ(line[6].y, 1.0);
  EXPECT_THAT(drawing.csv, HasSubstr("\nruns <one>,1,0.75\n"));
}

TEST(CollectiveFigure, HasAMedianAnOctave) {
  Validation validation = made_up_validation();
  validation.rows.push_back(made_up_collective("c3", 1536.0, 1e-5, 4e-5));
  const Drawing drawing = drawing_of(section_of(add_collectives, validation), "sizes");
  ASSERT_EQ(drawing.figure.series.size(), 1U);
  ASSERT_EQ(drawing.figure.series[0].points.size(), 2U);
  EXPECT_EQ(drawing.figure.series[0].points[0].x, 1024.0);
  EXPECT_NEAR(drawing.figure.series[0].points[0].y, 3.0, 1e-12);  // of 2 and 4
  EXPECT_EQ(drawing.figure.series[0].points[1].x, 1048576.0);
  EXPECT_THAT(drawing.csv, HasSubstr("\nall_reduce,1048576,1,1,1,1\n"));
}

}  // namespace
}  // namespace cubicbench::results
