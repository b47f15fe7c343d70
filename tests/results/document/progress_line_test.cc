#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "results/document/bars.h"
#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

using testing::EndsWith;

TEST(TimeLeft, IsSaidInUnitsThatOneReads) {
  struct Case {
    double seconds;
    const char* text;
  };
  for (const Case& c :
       {Case{0.0, "0 s"}, Case{0.2, "1 s"}, Case{59.0, "59 s"}, Case{59.5, "1 min 0 s"},
        Case{125.0, "2 min 5 s"}, Case{3600.0, "1 h 0 min"}, Case{4800.0, "1 h 20 min"},
        Case{-1.0, "0 s"}, Case{1e300, "8760 h 0 min"}}) {
    EXPECT_EQ(time_left(c.seconds), c.text) << c.seconds;
  }
}

TEST(ProgressLine, ShowsDoneTotalRateAndTimeLeft) {
  // 2,400 launches are left; at 800 a second they take 3 s. Half of 24 columns is 12 blocks.
  EXPECT_EQ(progress_line(2400, 4800, 800.0, 80),
            "████████████              2,400/4,800 launches, 800/s, 3 s left");
  EXPECT_EQ(progress_line(1, 3, 0.5, 80).substr(progress_line(1, 3, 0.5, 80).find("1/3")),
            "1/3 launches, 0.5/s, 4 s left");
}

TEST(ProgressLine, SaysNoRateBeforeItIsKnown) {
  EXPECT_THAT(progress_line(0, 10, std::nullopt, 80), EndsWith("  0/10 launches"));
  EXPECT_THAT(progress_line(0, 10, 0.0, 80), EndsWith("  0/10 launches"));
}

TEST(ProgressLine, CountsWhatItIsToldToCount) {
  EXPECT_THAT(progress_line(1, 9, std::nullopt, 80, "fits of fig2b (1/8)"),
              EndsWith("  1/9 fits of fig2b (1/8)"));
}

TEST(ProgressLine, NeverPassesTheTerminal) {
  for (int columns = 0; columns <= 120; ++columns) {
    const std::string line = progress_line(1'234'567, 9'999'999, 123'456.0, columns);
    EXPECT_LE(columns_of(line), static_cast<std::size_t>(columns)) << line;
  }
}

}  // namespace
}  // namespace cubicbench::results
