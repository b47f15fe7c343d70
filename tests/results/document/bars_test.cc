#include "results/document/bars.h"

#include <gtest/gtest.h>

#include <array>

namespace cubicbench::results {
namespace {

TEST(Bar, LengthIsTheShareOfTheWidth) {
  struct Case {
    double share;
    const char* blocks;
    const char* plain;
  };
  for (const Case& c :
       {Case{0.0, "", ""}, Case{0.5, "██", "##"}, Case{1.0, "████", "####"},
        Case{0.65625, "██▋", "###"}, Case{2.0, "████", "####"}, Case{-1.0, "", ""}}) {
    SCOPED_TRACE(c.share);
    EXPECT_EQ(bar(c.share, 4, Ink::blocks), c.blocks);
    EXPECT_EQ(bar(c.share, 4, Ink::plain), c.plain);
  }
}

TEST(Bar, WhatIsAboveZeroShows) {
  EXPECT_EQ(bar(1e-9, 34, Ink::blocks), "▏");
  EXPECT_EQ(bar(1e-9, 34, Ink::plain), "#");
}

TEST(BarRows, AlignsLabelsValuesAndPercentages) {
  const std::array rows{
      BarRow{.label = "attention", .value = "1.500 s", .share = 0.75, .length = 1.0},
      BarRow{.label = "optimizer", .value = "12.50 ms", .share = 0.00625, .length = 0.0}};
  EXPECT_EQ(bar_rows(rows, Ink::plain),
            "  attention                  1.500 s   75.0 %  #################################\n"
            "  optimizer                 12.50 ms    0.6 %\n");
}

TEST(BarRows, DemandFarAboveCapacityKeepsItsColumn) {
  const std::array rows{
      BarRow{.label = "reserved", .value = "888.05 GiB", .share = 11.847, .length = 0.0}};
  EXPECT_EQ(bar_rows(rows, Ink::plain), "  reserved                888.05 GiB 1184.7 %\n");
}

}  // namespace
}  // namespace cubicbench::results
