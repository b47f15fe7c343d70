#include "results/document/tooltips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "results/document/html.h"
#include "results/glossary/glossary.h"

namespace cubicbench::results {
namespace {

std::string tip(const std::string& word, const std::string& shown) {
  return "<abbr title=\"" + escaped(find_entry(word)->text) + "\">" + shown + "</abbr>";
}

TEST(Tooltips, ExplainTheFirstUse) {
  EXPECT_EQ(with_tooltips("<p>MFU and MFU</p><p>MFU</p>"),
            "<p>" + tip("MFU", "MFU") + " and MFU</p><p>MFU</p>");
  EXPECT_EQ(with_tooltips("<td>tensor_parallel</td>"),
            "<td>" + tip("tensor_parallel", "tensor_parallel") + "</td>");
}

TEST(Tooltips, TakeAWordAtTheBeginningOfASentence) {
  EXPECT_EQ(with_tooltips("<li>Activations.</li>"),
            "<li>" + tip("activations", "Activations") + ".</li>");
}

TEST(Tooltips, LeaveWhatIsNoProse) {
  for (const std::string html :
       {"<h2>MFU</h2>", "<a href=\"x.html\">MFU</a>", "<pre>MFU</pre>", "<p><code>MFU</code></p>",
        "<svg><text>MFU</text></svg>", "<label for=\"a\">MFU</label>",
        "<details><summary>MFU</summary></details>", "<p title=\"MFU\"></p>", "<p>", "", "a < b"}) {
    EXPECT_EQ(with_tooltips(html), html);
  }
  EXPECT_EQ(with_tooltips("<p><a href=\"#b\">MFU</a> MFU</p>"),
            "<p><a href=\"#b\">MFU</a> " + tip("MFU", "MFU") + "</p>");
}

TEST(Tooltips, LeavePartsOfWords) {
  for (const std::string html :
       {"<p>MFUs_of</p>", "<p>xMFU</p>", "<p>mFU</p>", "<p>a-MFU</p>", "<p>cluster.MFU</p>",
        "<p>docs/MFU.md</p>", "<p>MFU/x</p>", "<p>BUBBLE</p>"}) {
    EXPECT_EQ(with_tooltips(html), html);
  }
  EXPECT_EQ(with_tooltips("<p>&amp;MFU.</p>"), "<p>&amp;" + tip("MFU", "MFU") + ".</p>");
}

}  // namespace
}  // namespace cubicbench::results
