#include "results/document/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

/// One column of names, one of counts and one of texts of `words` words.
Table wide_table(std::size_t words) {
  Table table{.columns = {{"name", "name"}, {"n", "n", Show::count}, {"text", "text"}}};
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += "word" + std::to_string(i) + " ";
  table.rows = {{"a", 1234, text}, {"b", 5, "short"}};
  return table;
}

TEST(TerminalTable, FirstToTheLeftNumbersToTheRightNothingAtTheEnd) {
  const Table table{
      .columns = {{"name", "name"}, {"n", "n", Show::count}, {"share", "share", Show::percent}},
      .rows = {{"a", 12, 0.05}, {"évolution", 1234, Cell()}}};
  EXPECT_EQ(terminal_text(table),
            "name           n  share\n"
            "a             12   5.0%\n"
            "évolution  1,234      -\n");
}

TEST(TerminalTable, HeadingsOfSeveralWordsTakeLinesAboveTheirColumn) {
  const Table table{.columns = {{"name", "name"},
                                {"time", "mean time", Show::fixed1, "s"},
                                {"verdict", "what it is"}},
                    .rows = {{"a", 1.25, "fast"}}};
  EXPECT_EQ(terminal_text(table),
            "      mean  what\n"
            "      time  it\n"
            "name   (s)  is\n"
            "a      1.2  fast\n");
}

TEST(TerminalTable, ColumnsWithoutAHeadingAreForPrograms) {
  const Table table{.columns = {{"a", "A"}, {"secret", ""}, {"b", "B"}},
                    .rows = {{"1", "hidden", "2"}}};
  EXPECT_EQ(terminal_text(table), "A  B\n1  2\n");
}

TEST(TerminalTable, TextsAreWrappedToFitAndNumbersStayWhole) {
  const std::string text = terminal_text(wide_table(30));
  EXPECT_THAT(text, HasSubstr("name      n  text\n"));
  EXPECT_THAT(text, HasSubstr("\na     1,234  word0 word1 "));
  EXPECT_THAT(text, HasSubstr("\n             word"));  // goes on below itself
  EXPECT_THAT(text, HasSubstr("\nb         5  short\n"));
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, columns_of(line));
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_LE(longest, 80U);
  EXPECT_GT(longest, 70U);
}

TEST(TerminalTable, CountsTheRowsThatItDoesNotShow) {
  Table table{.columns = {{"n", "n", Show::count}}, .shown = 1};
  for (int i = 0; i < 1235; ++i) table.rows.push_back({i});
  EXPECT_EQ(terminal_text(table), "n\n0\nand 1,234 more\n");
}

TEST(TerminalDocument, BlocksStandApartExceptBelowHeadingsAndCommands) {
  Document document{.title = "not shown"};
  document.add(Heading{.text = "Times"});
  document.add(Paragraph{"one"});
  document.add(Paragraph{""});
  document.add(Paragraph{"two"});
  document.add(Command{"run\nagain"});
  document.add(Bullets{{"first", "second"}});
  EXPECT_EQ(terminal_text(document), "Times\none\n\ntwo\n  run\n  again\n\n- first\n- second\n");
}

TEST(TerminalDocument, FactsHaveTheirNamesInAColumn) {
  Document document;
  document.add(Facts{{{"scenario", "tiny"}, {"text", std::string(61, 'x') + " wrapped here"}}});
  EXPECT_EQ(terminal_text(document), "scenario    tiny\ntext        " + std::string(61, 'x') +
                                         "\n            wrapped here\n");
}

TEST(TerminalDocument, BarsAreDrawnWithTheInkThatIsThere) {
  Document document;
  document.add(Bars{{{.label = "a", .value = "1 s", .share = 0.5, .length = 1.0}}});
  EXPECT_THAT(terminal_text(document, {.ink = Ink::plain}), HasSubstr("50.0 %  ####"));
  EXPECT_THAT(terminal_text(document), HasSubstr("50.0 %  ████"));
}

TEST(TerminalDocument, LeavesOutWhatIsForOthers) {
  Document document;
  document.add(Paragraph{"for pages"}, Media::written);
  document.add(Table{.columns = {{"a", "A"}}});
  document.add(Links{.files = {{{"a.csv", "1"}, "numbers"}}});
  document.add(Paragraph{"for all"});
  document.add(Paragraph{"for terminals"}, Media::terminal);
  EXPECT_EQ(terminal_text(document), "for all\n\nfor terminals\n");
}

TEST(TerminalDocument, FoldedBlocksAreOpen) {
  Document document;
  document.add(Paragraph{"before"});
  document.add(Folded{.summary = "More",
                      .blocks = {{Paragraph{"inside"}}, {Paragraph{"hidden"}, Media::html}}});
  EXPECT_EQ(terminal_text(document), "before\n\nMore\ninside\n");
}

}  // namespace
}  // namespace cubicbench::results
