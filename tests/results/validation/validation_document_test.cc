#include "results/validation/validation_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "results/validation/validation_sections.h"
#include "support/input_error.h"
#include "tests/datasets/validation/made_up_validation.h"
#include "tests/results/validation/document_parts.h"
#include "tests/results/validation/made_up_summaries.h"
#include "tests/results/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

using datasets::made_up_validation;
using datasets::RowKind;
using datasets::skipped_row;
using datasets::ValidatedRow;
using datasets::Validation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const no_value = "\xE2\x80\x93";

Document document_with(const Validation& validation, const std::string& command = "") {
  return validation_document(validation, summaries_of(validation), {.command = command});
}

/// With figures that no other text has.
Document made_up_document() {
  static const Summaries summaries = made_up_summaries();
  return validation_document(made_up_validation(), summaries, {.command = "validate <x> & y"});
}

TEST(ValidationPage, IsWellFormedAndTheSameEachTime) {
  const TemporaryFolder folder;
  const TemporaryFolder again;
  write_page(made_up_document(), folder / "index.html");
  write_page(made_up_document(), again / "new/index.html");
  const auto files = files_below(folder.path());
  EXPECT_EQ(files, files_below(again / "new"));
  const std::string& page = files.at("index.html");
  EXPECT_EQ(xml_problem(page), "");
  for (const char* const text :
       {"runs &lt;one&gt;", "a&amp;b", "validate &lt;x&gt; &amp; y --out DIR",
        "needs mixture_of_experts", "19.3 %", "model|8", "0.600", "matrix products 75.0 %",
        "Calculon", "7.40 %"}) {
    EXPECT_THAT(page, HasSubstr(text)) << text;
  }
  EXPECT_THAT(page, Not(HasSubstr(folder.path().string())));
  for (const char* const name :
       {"rows.csv", "skipped.csv", "summaries.csv", "groups.csv", "ladders.csv", "worst.csv",
        "hung.csv", "errors.svg", "errors.csv", "sizes.svg", "sizes.csv", "times-nccl.svg",
        "times-nccl.csv", "times-runs--one--0.svg", "times-runs--one--0.csv",
        "collective-errors.csv", "memory-peaks.csv", "memory-verdicts.csv"}) {
    EXPECT_TRUE(files.contains(name)) << name;
    EXPECT_THAT(page, HasSubstr("href=\"" + std::string(name) + "\"")) << name;
  }
  EXPECT_THAT(files.at("groups.csv"), HasSubstr("\nruns <one>,model|8,5,0.6,0.8\n"));
  EXPECT_THAT(files.at("ladders.csv"), HasSubstr("\nruns <one>,layout,2,4,1,0\n"));
  EXPECT_THAT(files.at("rows.csv"), HasSubstr("\na&b,runs <one>,model|8,run,model|8,ok,ok,1,1.1,"));
  EXPECT_THAT(files.at("rows.csv"), HasSubstr(",cluster,all_reduce,8,1048576,\n"));
  EXPECT_THAT(files.at("skipped.csv"), HasSubstr("\ns1,runs <one>,needs mixture_of_experts\n"));
  EXPECT_THAT(files.at("summaries.csv"),
              testing::StartsWith("level,name,n,coverage,families,median_abs_rel_error,"));
  EXPECT_THAT(files.at("summaries.csv"), HasSubstr(",static_p90_abs_rel_error,hung\noverall,,9,"));
  EXPECT_THAT(files.at("summaries.csv"), HasSubstr("\nsource,nccl,2,1,"));
}

std::set<std::string> sections_of(const Document& document) {
  std::set<std::string> ids;
  for (const Block& block : document.blocks) {
    const auto* const heading = std::get_if<Heading>(&block.content);
    if (heading != nullptr && !heading->id.empty()) ids.insert(heading->id);
  }
  return ids;
}

TEST(ValidationDocument, OfNothingSaysSo) {
  const Document document = document_with({});
  EXPECT_EQ(sections_of(document), (std::set<std::string>{"skipped", "origin"}));
  EXPECT_THAT(terminal_text(document), testing::StartsWith("No row of these tables is wanted.\n"));
  EXPECT_THAT(markdown_text(document), HasSubstr("\nNo row of these tables is wanted.\n"));
  EXPECT_EQ(xml_problem(page_of(document).html), "");
  EXPECT_THAT(markdown_text(document), Not(HasSubstr(no_value)));
}

TEST(ValidationDocument, LeavesOutWhatHasNothingToSay) {
  for (const bool collectives : {false, true}) {
    SCOPED_TRACE(collectives);
    Validation validation = made_up_validation();
    std::erase_if(validation.rows, [&](const ValidatedRow& row) {
      return (row.kind == RowKind::collective) != collectives;
    });
    validation.skipped.clear();
    const std::set<std::string> ids = sections_of(document_with(validation));
    for (const char* const id : {"sources", "ranking", "memory", "worst", "hung"}) {
      EXPECT_EQ(ids.contains(id), !collectives) << id;
    }
    EXPECT_EQ(ids.contains("collectives"), collectives);
    EXPECT_TRUE(ids.contains("times"));
  }
}

TEST(ValidationDocument, SaysHowItWasMadeAndWhatItIsOfAll) {
  const Validation validation = made_up_validation();
  const Summaries summaries = made_up_summaries();
  for (const bool shipped : {false, true}) {
    const Document document = validation_document(
        validation, summaries,
        {.command = "cubicbench validate", .markdown_file = "b.md", .shipped = shipped});
    const std::string text = markdown_text(document);
    EXPECT_THAT(text, HasSubstr("\n    cubicbench validate --markdown b.md\n"));
    EXPECT_THAT(page_of(document).html, HasSubstr("<pre>cubicbench validate --out DIR</pre>"));
    for (const char* const words :
         {"Many constants were fitted", "A change of the physics", "does not ship"}) {
      EXPECT_EQ(text.find(words) != std::string::npos, shipped) << words;
    }
  }
}

TEST(ValidationDocument, BeginsWithAllErrorsTogether) {
  EXPECT_THAT(
      terminal_text(made_up_document()),
      testing::StartsWith(
          "The simulator beside 10 published measurements of 2 sources, 9 of them timed; 1\n"
          "more cannot be simulated (coverage 88.9 %). Of the 7 timed runs, the median\n"
          "error is 10.0 %, nine in ten are below 42.0 %, and the bias is -10.0 %. Of the 2\n"
          "timed collectives, the median error is 50.0 %, nine in ten are below 90.0 %, and\n"
          "the bias is +50.0 %.\n"));
}

TEST(ValidationDocument, NoLineIsMuchLongerThanATerminal) {
  Validation validation = made_up_validation();
  for (ValidatedRow& row : validation.rows) {
    if (row.kind == RowKind::run) row.source = "hf_ultrascale_nanotron_sweep";
  }
  for (int i = 0; i < 30; ++i) validation.rows.push_back(validation.rows[4]);
  const std::string text = terminal_text(document_with(validation));
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 100U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(ValidationDocument, CannotBeWrittenEverywhere) {
  EXPECT_THROW(write_page(document_with({}), "/proc/none/there/index.html"), support::OutputError);
}

TEST(LeftOutSection, HasTheMostFrequentReasonFirst) {
  Validation validation = made_up_validation();
  validation.skipped.push_back(skipped_row("t1", "z", "needs tpu: all of it"));
  validation.skipped.push_back(skipped_row("t2", "y", "needs tpu"));
  const Document document = document_with(validation);
  const Table table = table_under(document, "skipped");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(texts_of(table, 0), ElementsAre("needs tpu", "2", "y (1), z (1)", "t1"));
  EXPECT_THAT(texts_of(table, 1), ElementsAre("needs mixture_of_experts", "1", "runs <one>", "s1"));
  const Table excluded = table_under(document, "skipped", 1);
  EXPECT_THAT(column_of(excluded, "rows"), ElementsAre("3", "0", "0", "0", "0", "0"));
}

TEST(LeftOutSection, FoldsRareReasons) {
  Validation validation;
  for (int i = 0; i < 43; ++i) {
    validation.skipped.push_back(skipped_row("s", "z", "r" + std::to_string(i)));
  }
  EXPECT_THAT(terminal_text(document_with(validation)), HasSubstr("\nand 3 more\n"));
}

}  // namespace
}  // namespace cubicbench::results
