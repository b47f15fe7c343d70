#include "results/layout/columns.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

TEST(Columns, FirstToTheLeftAndNumbersToTheRight) {
  const std::vector<std::vector<std::string>> rows{
      {"NAME", "N", "SHARE"}, {"a", "12", "5.0 %"}, {"évolution", "1,234", ""}};
  EXPECT_EQ(columns_text(rows),
            "NAME           N  SHARE\n"
            "a             12  5.0 %\n"
            "évolution  1,234\n");
}

TEST(Columns, OfNothingAreNothing) { EXPECT_EQ(columns_text({}), ""); }

}  // namespace
}  // namespace cubicbench::results
