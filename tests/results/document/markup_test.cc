#include <gtest/gtest.h>

#include "results/document/html.h"

namespace cubicbench::results {
namespace {

TEST(Markup, LeavesNothingThatADocumentWouldRead) {
  EXPECT_EQ(escaped("<b a=\"1\" c='2'>&\x01"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xEF\xBF\xBD");
}

}  // namespace
}  // namespace cubicbench::results
