#include "results/document/markdown.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

TEST(Markdown, TakesTextsLiterally) {
  EXPECT_EQ(markdown_escaped("a|b *c* [d](e) <f> `g` \\ _h_"),
            "a\\|b \\*c\\* \\[d\\](e) \\<f\\> \\`g\\` \\\\ _h_");
  EXPECT_EQ(markdown_escaped("two\nlines\x1b"), "two lines ");
}

TEST(Markdown, TablesHaveTheirNumbersToTheRight) {
  Table table{
      .columns = {{"name", "na|me"},
                  {"n", "mean n", Show::count, "GB"},
                  {"hidden", ""},
                  {"share", "share", Show::percent}},
      .rows = {{"x*y", 1234, 1, 0.0421}, {"z", Cell(), 2, Cell::Absent()}, {"w", 1, 3, 1.0}},
      .shown = 2};
  Document document;
  document.add(table);
  EXPECT_EQ(markdown_text(document),
            "| na\\|me | mean n (GB) | share |\n"
            "|---|---:|---:|\n"
            "| x\\*y | 1,234 | 4.2 % |\n"
            "| z | \xE2\x80\x93 |  |\n"
            "\nand 1 more\n");
}

TEST(Markdown, BlocksStandApartBelowTheTitle) {
  Document document{.title = "A <title>"};
  document.add(Heading{.text = "Section"});
  document.add(Heading{.text = "Part", .level = 3});
  document.add(Paragraph{"told"});
  document.add(Paragraph{"for terminals"}, Media::terminal);
  document.add(Command{"a * b\nc"});
  document.add(Bullets{{"one", "two"}});
  document.add(Facts{{{"name", "fact"}}});
  document.add(Table{.columns = {{"a", "A"}}});
  document.add(Bars{{{.label = "a", .value = "1", .share = 1.0, .length = 1.0}}});
  document.add(Folded{.summary = "More", .blocks = {{Paragraph{"inside"}}}});
  EXPECT_EQ(markdown_text(document),
            "# A \\<title\\>\n\n## Section\n\n### Part\n\ntold\n\n    a * b\n    c\n\n"
            "- one\n- two\n\n- **name**: fact\n\n### More\n\ninside\n");
}

}  // namespace
}  // namespace cubicbench::results
