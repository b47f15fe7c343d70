#include "results/document/number_text.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

TEST(NumberText, ScaledKeepsFourDigits) {
  EXPECT_EQ(scaled(4.0681e6), "4.068 M");
  EXPECT_EQ(scaled(40.681e9), "40.68 G");
  EXPECT_EQ(scaled(405.9e9), "405.9 G");
  EXPECT_EQ(scaled(248.25), "248");
  EXPECT_EQ(scaled(12.34), "12.3");
  EXPECT_EQ(scaled(0.98558), "0.9856");
  EXPECT_EQ(scaled(0.0), "0.00");
}

TEST(NumberText, GroupedSeparatesThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(16384), "16,384");
  EXPECT_EQ(grouped(100'000'000), "100,000,000");
}

TEST(NumberText, UnitsFollowTheSize) {
  using namespace sim::literals;
  EXPECT_EQ(gib(80_GiB), "80.00 GiB");
  EXPECT_EQ(duration(4.1284_s), "4.128 s");
  EXPECT_EQ(duration(81.2_ms), "81.20 ms");
  EXPECT_EQ(duration(120_s), "120.0 s");
  EXPECT_EQ(percent(0.4123), "41.2 %");
}

}  // namespace
}  // namespace cubicbench::results
