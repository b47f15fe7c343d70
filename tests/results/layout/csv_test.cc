#include "results/layout/csv.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace cubicbench::results {
namespace {

TEST(Csv, QuotesOnlyWhatNeedsIt) {
  const std::array<std::string, 5> fields{"plain", "a,b", "say \"no\"", "two\nlines", ""};
  EXPECT_EQ(csv_record(fields), "plain,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\n");
}

}  // namespace
}  // namespace cubicbench::results
