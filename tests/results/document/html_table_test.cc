#include "results/layout/html_table.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

TEST(HtmlTable, EscapesCellsAndHeadings) {
  EXPECT_EQ(html_table({{"a<b"}, {"n", true}}, {{"x&y", "1"}}),
            "<div class=\"wide\"><table>\n<thead><tr><th>a&lt;b</th><th class=\"number\">n</th>"
            "</tr></thead>\n<tbody>\n<tr><td>x&amp;y</td><td class=\"number\">1</td></tr>\n"
            "</tbody></table></div>\n");
}

}  // namespace
}  // namespace cubicbench::results
