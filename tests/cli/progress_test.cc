#include "cli/terminal/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "results/document/paragraph.h"

namespace cubicbench::cli {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* wipe = "\r\x1b[K";

/// A terminal that only remembers, and a clock that the test sets.
struct Screen {
  std::vector<std::string> written;
  double now_s = 0.0;
  int columns = 80;

  Progress::Surroundings surroundings() {
    return {.write = [this](std::string_view text) { written.emplace_back(text); },
            .now_s = [this] { return now_s; },
            .columns = [this] { return columns; }};
  }
};

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
    EXPECT_LE(results::columns_of(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(Progress, IsRedrawnAtMostTenTimesASecond) {
  Screen screen;
  Progress progress(screen.surroundings());
  for (int done = 0; done <= 1000; ++done) {
    screen.now_s = done / 1000.0;
    progress.show(done, 1000);
  }
  EXPECT_GE(screen.written.size(), 10U);
  EXPECT_LE(screen.written.size(), 11U);
  for (const std::string& line : screen.written) {
    EXPECT_THAT(line, StartsWith(wipe));
  }
}

TEST(Progress, RatesOnlyWhatThisRunDid) {
  Screen screen;
  Progress progress(screen.surroundings());
  progress.show(900, 1000);
  screen.now_s = 2.0;
  progress.show(920, 1000);  // 20 launches in 2 s, 80 are left
  ASSERT_EQ(screen.written.size(), 2U);
  EXPECT_THAT(screen.written.back(), EndsWith("920/1,000 launches, 10/s, 8 s left"));
}

TEST(Progress, NeverGoesBack) {
  Screen screen;
  Progress progress(screen.surroundings());
  progress.show(5, 10);
  screen.now_s = 0.2;
  progress.show(4, 10);
  EXPECT_THAT(screen.written.back(), EndsWith("5/10 launches"));
}

TEST(Progress, IsWipedOutAtTheEndAndOnlyIfItWasDrawn) {
  Screen screen;
  { const Progress never_shown(screen.surroundings()); }
  EXPECT_THAT(screen.written, IsEmpty());
  {
    Progress progress(screen.surroundings());
    progress.show(1, 2);
    progress.clear();
  }
  EXPECT_THAT(screen.written, ElementsAre(StartsWith(wipe), wipe));
}

TEST(Progress, ThreadsMayShareIt) {
  Screen screen;
  {
    Progress progress(screen.surroundings());
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&progress] {
        for (int done = 0; done < 1000; ++done) progress.show(done, 1000);
      });
    }
  }
  EXPECT_EQ(screen.written.size(), 2U);  // the clock stood still: one drawing and the wipe
}

}  // namespace
}  // namespace cubicbench::cli
