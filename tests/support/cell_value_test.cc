#include "support/cell_value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace cubicbench::support {
namespace {

TEST(CellValue, TakesATextAsItIs) {
  std::string value = "before";
  EXPECT_EQ(set_cell_value("a, b", value), "");
  EXPECT_EQ(value, "a, b");
}

TEST(CellValue, TakesCountsEvenAsDecimals) {
  for (const char* const text : {"12", "12.0"}) {
    std::optional<std::int64_t> value;
    EXPECT_EQ(set_cell_value(text, value), "");
    EXPECT_EQ(value, 12);
  }
  for (const char* const text : {"", "0", "-3", "1.5", "twelve"}) {
    std::optional<std::int64_t> value = 7;
    EXPECT_EQ(set_cell_value(text, value), "an integer of at least 1") << text;
    EXPECT_EQ(value, 7) << text;
  }
}

TEST(CellValue, TakesNumbersAboveZero) {
  std::optional<double> value;
  EXPECT_EQ(set_cell_value("0.25", value), "");
  EXPECT_EQ(value, 0.25);
  for (const char* const text : {"", "0", "-1", "nan", "inf", "much"}) {
    EXPECT_EQ(set_cell_value(text, value), "a number above 0") << text;
    EXPECT_EQ(value, 0.25) << text;
  }
  EXPECT_NE(set_cell_value("1e-300", value), "");
  EXPECT_EQ(value, 0.25);
}

}  // namespace
}  // namespace cubicbench::support
