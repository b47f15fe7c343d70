#include "results/validation/summary.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/datasets/validation/made_rows.h"

namespace cubicbench::results {
namespace {

using datasets::memory_row;
using datasets::row_with_error;
using datasets::RowKind;
using datasets::skipped_row;

Summary overall_of(std::vector<ValidatedRow> rows) {
  Validation validation;
  validation.rows = std::move(rows);
  return summaries_of(validation).overall;
}

TEST(Summary, ErrorsOfTimeAreCountedByHand) {
  // Family x of source a: 10, -20 and 30 %; family y of source b: -40 %.
  const Summary of = overall_of({row_with_error("a", "x", 0.1), row_with_error("a", "x", -0.2),
                                 row_with_error("a", "x", 0.3), row_with_error("b", "y", -0.4)});
  EXPECT_EQ(of.n, 4);
  EXPECT_EQ(of.coverage, 1.0);
  EXPECT_EQ(of.families, 2);
  EXPECT_NEAR(*of.median_abs_rel_error, 0.25, 1e-12);
  EXPECT_NEAR(*of.mean_abs_rel_error, 0.25, 1e-12);
  EXPECT_NEAR(*of.p90_abs_rel_error, 0.37, 1e-12);           // position 2.7 of 0.1, 0.2, 0.3, 0.4
  EXPECT_NEAR(*of.bias, -0.05, 1e-12);                       // between -0.2 and 0.1
  EXPECT_NEAR(*of.median_family_abs_rel_error, 0.3, 1e-12);  // of 0.2 and 0.4
  EXPECT_NEAR(*of.median_source_abs_rel_error, 0.3, 1e-12);
  EXPECT_EQ(of.ranks.groups, 0);
  EXPECT_EQ(of.ranks.kendall_median, std::nullopt);
  EXPECT_EQ(of.hung, 0);
}

TEST(Summary, OfNothingHasNoFigures) {
  const Summary of = overall_of({});
  EXPECT_EQ(of.n, 0);
  EXPECT_EQ(of.coverage, std::nullopt);
  EXPECT_EQ(of.median_abs_rel_error, std::nullopt);
  EXPECT_EQ(of.bias, std::nullopt);
  EXPECT_EQ(of.median_family_abs_rel_error, std::nullopt);
  EXPECT_EQ(of.memory.n, 0);
  EXPECT_EQ(of.memory.median, std::nullopt);
  EXPECT_EQ(of.static_state.p90, std::nullopt);
  EXPECT_FALSE(of.has_sizes());
}

TEST(Summary, RowsWithoutATimeCountForCoverageAlone) {
  Validation validation;
  validation.rows = {row_with_error("a", "x", 0.1), memory_row(false, 1, 2)};
  validation.rows.back().source = "a";
  validation.rows.back().family = "x";
  validation.skipped = {skipped_row("s", "a", "r", "z")};
  validation.skipped.front().parts = {"p"};
  const Summaries summaries = summaries_of(validation);
  EXPECT_EQ(summaries.overall.n, 1);
  EXPECT_EQ(summaries.overall.families, 1);  // of rows that were simulated
  EXPECT_NEAR(*summaries.overall.coverage, 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(*summaries.sources.at("a").coverage, 2.0 / 3.0, 1e-12);
  EXPECT_EQ(summaries.families.at("x").coverage, 1.0);
  EXPECT_EQ(summaries.families.at("z").coverage, 0.0);
  EXPECT_EQ(summaries.parts.at("p").coverage, 0.0);
}

TEST(Summary, CountsRowsAndKnowsTheirKinds) {
  Validation validation;
  validation.rows = {row_with_error("a", "x", 0.1), row_with_error("b", "x", 0.1)};
  validation.rows[1].kind = RowKind::collective;
  validation.skipped = {skipped_row("s", "a", "r"), skipped_row("t", "c", "r")};
  validation.skipped[1].kind = RowKind::collective;
  const Summaries of = summaries_of(validation);
  EXPECT_EQ(of.overall.rows, 2);
  EXPECT_EQ(of.overall.skipped, 2);
  EXPECT_EQ(of.runs.rows, 1);
  EXPECT_EQ(of.runs.skipped, 1);
  EXPECT_TRUE(of.sources.at("a").has_runs);
  EXPECT_FALSE(of.sources.at("a").has_collectives);
  EXPECT_FALSE(of.sources.at("b").has_runs);
  EXPECT_TRUE(of.sources.at("b").has_collectives);
  EXPECT_TRUE(of.sources.at("c").has_collectives);  // though its row is skipped
}

TEST(Summary, IsMadeOfEverySourcePartAndFamily) {
  std::vector<ValidatedRow> rows{row_with_error("a", "x", 0.1), row_with_error("b", "x", 0.2),
                                 row_with_error("b", "y", 0.4)};
  rows[0].parts = {"p", "q"};
  rows[2].parts = {"q"};
  Validation validation;
  validation.rows = rows;
  const Summaries summaries = summaries_of(validation);
  EXPECT_EQ(summaries.sources.size(), 2U);
  EXPECT_NEAR(*summaries.sources.at("b").median_abs_rel_error, 0.3, 1e-12);
  EXPECT_EQ(summaries.parts.size(), 2U);
  EXPECT_NEAR(*summaries.parts.at("p").median_abs_rel_error, 0.1, 1e-12);
  EXPECT_NEAR(*summaries.parts.at("q").median_abs_rel_error, 0.25, 1e-12);
  EXPECT_EQ(summaries.families.size(), 2U);
  EXPECT_NEAR(*summaries.families.at("x").median_abs_rel_error, 0.15, 1e-12);
}

using Gib = std::optional<double>;

datasets::ValidatedMemory memory_of(Gib peak_measured, Gib peak_simulated, Gib static_measured = {},
                                    Gib static_simulated = {}) {
  datasets::ValidatedMemory memory;
  memory.peak_measured = peak_measured;
  memory.peak_simulated = peak_simulated;
  memory.static_measured = static_measured;
  memory.static_simulated = static_simulated;
  return memory;
}

TEST(Summary, MemoryIsComparedWhereBothSaySomethingAndTheRunEnded) {
  std::vector<ValidatedRow> rows(5);
  rows[0].memory = memory_of(10.0, 11.0, 4.0, 5.0);
  rows[1].memory = memory_of(10.0, 7.0);
  rows[2].memory = memory_of(10.0, {});
  rows[3].memory = memory_of({}, 10.0, {}, 3.0);
  rows[4].memory = memory_of(80.0, 160.0);  // where it stopped, not what it needs
  rows[4].status_measured = datasets::MeasurementStatus::oom;
  const Summary of = overall_of(rows);
  EXPECT_EQ(of.memory.n, 2);
  EXPECT_NEAR(*of.memory.median, 0.2, 1e-12);
  EXPECT_NEAR(*of.memory.p90, 0.28, 1e-12);
  EXPECT_EQ(of.static_state.n, 1);
  EXPECT_NEAR(*of.static_state.median, 0.25, 1e-12);
}

TEST(Summary, HungRunsAreCountedAndKept) {
  const Summary of = overall_of({row_with_error("a", "x", -0.67),    // more than three times
                                 row_with_error("a", "x", -0.66)});  // not quite
  EXPECT_EQ(of.n, 2);
  EXPECT_EQ(of.hung, 1);
}

ValidatedRow collective(const std::string& group, double size_bytes, double rel_error) {
  ValidatedRow row = row_with_error("c", "system", rel_error);
  row.kind = RowKind::collective;
  row.group = group;
  row.size_bytes = size_bytes;
  return row;
}

TEST(Summary, SizesOfCollectivesAreJudgedApartAndByGroup) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  const Summary of = overall_of({
      collective("a", 4.0, 0.1),
      collective("a", 8.0, -0.3),
      collective("a", mebibyte - 1, 0.5),
      collective("b", 4.0, 0.7),  // medians 0.3 and 0.7
      collective("a", mebibyte, 0.2),
      collective("a", 64.0 * mebibyte - 1, 0.2),
      collective("b", 64.0 * mebibyte, -0.4),
  });
  EXPECT_EQ(of.n, 7);
  ASSERT_TRUE(of.has_sizes());
  EXPECT_EQ(of.by_size[0].n, 2);
  EXPECT_NEAR(*of.by_size[0].median, 0.5, 1e-12);
  EXPECT_NEAR(*of.by_size[0].p90, 0.66, 1e-12);
  EXPECT_NEAR(*of.by_size[1].median, 0.2, 1e-12);
  EXPECT_NEAR(*of.by_size[2].median, 0.4, 1e-12);
  EXPECT_NEAR(*of.by_size[2].p90, 0.4, 1e-12);
  EXPECT_EQ(of.ranks.groups, 0);
}

}  // namespace
}  // namespace cubicbench::results
