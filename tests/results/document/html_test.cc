#include "results/document/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/files.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What a page with this block alone has in its body, below the title.
std::string body_of(BlockContent content) {
  Document document{.title = "T"};
  document.add(std::move(content));
  const std::string html = page_of(document).html;
  const std::string begin = "<h1>T</h1>\n";
  const std::size_t at = html.find(begin) + begin.size();
  return html.substr(at, html.find("</main>") - at);
}

TEST(Html, IsAWholePageWithoutScriptOrNetwork) {
  const std::string html = page_of({.title = "a < b"}).html;
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n"));
  EXPECT_TRUE(html.ends_with("</main>\n</body>\n</html>\n"));
  EXPECT_THAT(html, HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(html, HasSubstr("<h1>a &lt; b</h1>"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("http:")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'; style-src 'unsafe-inline'"));
}

TEST(Html, TakesTextsLiterally) {
  EXPECT_EQ(body_of(Paragraph{"<b> & \"c\""}), "<p>&lt;b&gt; &amp; &quot;c&quot;</p>\n");
  EXPECT_EQ(body_of(Paragraph{.text = "a", .note = true}), "<p class=\"note\">a</p>\n");
  EXPECT_EQ(body_of(Paragraph{""}), "");
  EXPECT_EQ(body_of(Command{"a <b\nc"}), "<pre>a &lt;b\nc</pre>\n");
  EXPECT_EQ(body_of(Bullets{{"<", "x"}}), "<ul>\n<li>&lt;</li>\n<li>x</li>\n</ul>\n");
  EXPECT_EQ(body_of(Facts{{{"<n>", "&"}}}), "<dl>\n<dt>&lt;n&gt;</dt><dd>&amp;</dd>\n</dl>\n");
}

TEST(Html, TablesEscapeCellsAndExplainHeadings) {
  const Table table{
      .columns = {{"a", "a<b"}, {"n", "n", Show::count, "GB", "how \"many\""}, {"hidden", ""}},
      .rows = {{"x&y", 1234, "never"}, {"z", Cell(), "never"}}};
  EXPECT_EQ(body_of(table),
            "<div class=\"wide\"><table>\n<thead><tr><th>a&lt;b</th>"
            "<th class=\"number\" title=\"how &quot;many&quot;\">n (GB)</th></tr></thead>\n"
            "<tbody>\n<tr><td>x&amp;y</td><td class=\"number\">1,234</td></tr>\n"
            "<tr><td>z</td><td class=\"number\">\xE2\x80\x93</td></tr>\n"
            "</tbody></table></div>\n");
  EXPECT_EQ(body_of(Table{.columns = {{"a", "A"}}}), "");
}

TEST(Html, TheBestOfAColumnIsBoldAndWhatIsInBracketsSmall) {
  const Table table{.columns = {{"n", "n"},
                                with_best({"v", "v", Show::fixed1}, Best::least),
                                {"r", "r", Show::figure}},
                    .rows = {{"a", 2.0, "0.3 (0.1 to 0.5)"}, {"b", 1.0, "(none)"}}};
  const std::string html = body_of(table);
  EXPECT_THAT(html, HasSubstr("<td>a</td><td class=\"number\">2.0</td><td class=\"number\">"
                              "<span>0.3</span> <small>(0.1 to 0.5)</small></td>"));
  EXPECT_THAT(html, HasSubstr("<td>b</td><td class=\"number\"><b>1.0</b></td>"
                              "<td class=\"number\">(none)</td>"));
}

TEST(Html, OnlyWordsThatWouldCutColumnsOffMayBreak) {
  const Table table{.columns = {{"n", "n"}},
                    .rows = {{"xla_collective_tables"}, {"hf_ultrascale_nanotron_sweep"}}};
  const std::string html = body_of(table);
  EXPECT_THAT(html, HasSubstr("<td>xla_collective_tables</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"long\">hf_ultrascale_nanotron_sweep</td>"));
}

TEST(Html, KeepsPerCentSignsWithTheirNumbers) {
  EXPECT_EQ(body_of(Paragraph{"12 % of %, % 5"}), "<p>12\xC2\xA0% of %, % 5</p>\n");
}

TEST(Html, RowsBeyondTheFirstAreFolded) {
  const Table table{.columns = {{"n", "n", Show::count}}, .rows = {{1}, {2}, {3}}, .shown = 1};
  const std::string html = body_of(table);
  const std::size_t fold = html.find("<details>\n<summary>2 more</summary>");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_LT(html.find(">1<"), fold);
  EXPECT_GT(html.find(">2<"), fold);
  EXPECT_GT(html.find(">3<"), fold);
  EXPECT_GT(html.find("</details>"), html.find(">3<"));
}

TEST(Html, SectionsAreLinkedFromTheContents) {
  Document document{.title = "T", .contents = true};
  document.add(Heading{.text = "One & all", .id = "one"});
  document.add(Paragraph{"first"});
  document.add(Heading{.text = "Part", .level = 3});
  document.add(Heading{.text = "Two", .id = "two"});
  document.add(Heading{.text = "Elsewhere", .id = "terminal"}, Media::terminal);
  const std::string html = page_of(document).html;
  EXPECT_THAT(
      html,
      HasSubstr("<nav><ul>\n<li><a href=\"#one\">One &amp; all</a></li>\n"
                "<li><a href=\"#two\">Two</a></li>\n</ul></nav>\n"
                "<main>\n<h1>T</h1>\n<section id=\"one\">\n<h2>One &amp; all</h2>\n<p>first</p>\n"
                "<h3>Part</h3>\n</section>\n<section id=\"two\">\n<h2>Two</h2>\n"
                "</section>\n</main>"));
}

TEST(Html, SharesAreBarsWhosePartsStandByGroup) {
  const ShareBar bar{.parts = {{"attention", "compute", "#111111", 0.5},
                               {"wait", "idle", "#222222", 0.3},
                               {"gemm", "compute", "#111111", 0.2}},
                     .words = "mostly <compute>"};
  const std::string html =
      body_of(Table{.columns = {{"shares", "shares"}}, .rows = {{bar}, {ShareBar{}}}});
  EXPECT_THAT(
      html,
      HasSubstr(
          "<td class=\"shares\"><svg viewBox=\"0 0 100 6\" role=\"img\" aria-label=\"shares\">"
          "<rect x=\"0.00\" y=\"0\" width=\"50.00\" height=\"6\" fill=\"#111111\">"
          "<title>attention 50.0 %</title></rect>"
          "<rect x=\"50.00\" y=\"0\" width=\"20.00\" height=\"6\" fill=\"#111111\">"
          "<title>gemm 20.0 %</title></rect>"
          "<rect x=\"70.00\" y=\"0\" width=\"30.00\" height=\"6\" fill=\"#222222\">"
          "<title>wait 30.0 %</title></rect></svg>mostly &lt;compute&gt;</td>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"note\">Colours: "
                              "<span class=\"swatch\" style=\"background:#111111\"></span> compute "
                              "<span class=\"swatch\" style=\"background:#222222\"></span> idle"));
  EXPECT_THAT(html, HasSubstr("<td class=\"shares\"></td>"));  // no parts, no drawing
}

Drawing drawing(const std::string& stem) {
  return {.figure = {.name = stem,
                     .title = "A figure",
                     .x = {.label = "x"},
                     .y = {.label = "y"},
                     .series = {{.title = "s", .points = {{0.1, 0.2}, {0.9, 0.8}}}},
                     .levels = {},
                     .message = "",
                     .strip_label = "",
                     .strip = {}},
          .label = "",
          .caption = "What <it> shows.",
          .stem = stem,
          .csv = "x,y\n"};
}

TEST(Html, FiguresAreInThePageAndBesideIt) {
  Document document{.title = "T"};
  document.add(drawing("one"));
  document.add(Gallery{{drawing("two"), drawing("three")}});
  document.add(Drawing(drawing("terminal")), Media::terminal);
  const Page page = page_of(document);
  std::vector<std::string> names;
  for (const PageFile& file : page.files) names.push_back(file.name);
  EXPECT_THAT(names, testing::ElementsAre("one.svg", "one.csv", "two.svg", "two.csv", "three.svg",
                                          "three.csv"));
  EXPECT_TRUE(page.files[0].text.starts_with("<?xml"));
  EXPECT_EQ(page.files[1].text, "x,y\n");
  EXPECT_THAT(page.html, HasSubstr("<svg role=\"img\" aria-label=\"A figure\""));
  EXPECT_THAT(page.html, Not(HasSubstr("<?xml")));
  EXPECT_THAT(page.html,
              HasSubstr("<figcaption>What &lt;it&gt; shows. <a href=\"one.svg\">Figure as "
                        "SVG</a>, <a href=\"one.csv\">every number as CSV</a>."));
  EXPECT_THAT(page.html, HasSubstr("<div class=\"figures\">\n<figure class=\"curves\">\n<div"));
}

TEST(Html, LinksBringTheirFiles) {
  Document document{.title = "T"};
  document.add(Links{.files = {{{"a.csv", "1\n"}, "a & b"}, {{"b.json", "{}\n"}, "c"}},
                     .lead = "As files:"});
  const Page page = page_of(document);
  EXPECT_THAT(page.html, HasSubstr("<p>As files: <a href=\"a.csv\">a &amp; b</a>, "
                                   "<a href=\"b.json\">c</a></p>\n"));
  ASSERT_EQ(page.files.size(), 2U);
  EXPECT_EQ(page.files[1].name, "b.json");
  EXPECT_EQ(page.files[1].text, "{}\n");
}

TEST(Html, FoldsAreOpenedByTheirSummary) {
  EXPECT_EQ(body_of(Folded{.summary = "A & B",
                           .blocks = {{Paragraph{"in"}}, {Paragraph{"out"}, Media::terminal}}}),
            "<details>\n<summary>A &amp; B</summary>\n<p>in</p>\n</details>\n");
}

TEST(Html, APageIsWrittenWithItsFilesIntoAFolderThatItMakes) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "new" / "page.html";
  Document document{.title = "T"};
  document.add(Links{.files = {{{"a.csv", "1\n"}, "a"}}});
  EXPECT_THAT(write_page(document, path), testing::ElementsAre("page.html", "a.csv"));
  EXPECT_EQ(support::read_file(path.string()), page_of(document).html);
  EXPECT_EQ(support::read_file((path.parent_path() / "a.csv").string()), "1\n");
  EXPECT_THROW(write_page(document, path / "below" / "a.html"), support::OutputError);
}

}  // namespace
}  // namespace cubicbench::results
