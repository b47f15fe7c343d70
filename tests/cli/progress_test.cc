#include "cli/terminal/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
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

TEST(Progress, SaysALineEveryTenSecondsWhereNoneCanBeWiped) {
  Screen screen;
  {
    Progress::Surroundings log = screen.surroundings();
    log.wipes = false;
    Progress progress(log);
    for (int second = 0; second <= 25; ++second) {
      screen.now_s = second;
      progress.show(std::int64_t{40} * second, 1000);
    }
  }
  EXPECT_THAT(screen.written, ElementsAre("360/1,000 launches, 40/s, 16 s left\n",
                                          "720/1,000 launches, 40/s, 7 s left\n"));
}

TEST(Progress, CountsTheSilenceOfWorkBeforeItsOwn) {
  Screen screen;
  std::atomic<double> last_line_s = 0.0;
  Progress::Surroundings log = screen.surroundings();
  log.wipes = false;
  log.last_line_s = &last_line_s;
  for (const double begin_s : {5.0, 8.0, 12.0}) {  // one piece of work after the other
    screen.now_s = begin_s;
    Progress progress(log);
    progress.show(0, 4);
    screen.now_s = begin_s + 2.0;
    progress.show(2, 4);
  }
  EXPECT_THAT(screen.written, ElementsAre("2/4 launches, 1.0/s, 2 s left\n"));
  EXPECT_EQ(last_line_s, 10.0);
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
