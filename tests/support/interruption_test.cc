#include "support/interruption.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include "support/parallel.h"

namespace cubicbench::support {
namespace {

/// A shell starts jobs in the background with SIGINT ignored; these tests want it as it is in
/// front.
class InterruptionWatchTest : public testing::Test {
 protected:
  InterruptionWatchTest() : before_(std::signal(SIGINT, SIG_DFL)) {}
  ~InterruptionWatchTest() override { std::signal(SIGINT, before_); }

 private:
  void (*before_)(int);
};

/// What end_if_interrupted() says; "" where it ends nothing.
std::string said() {
  try {
    end_if_interrupted();
    return "";
  } catch (const Interrupted& interrupted) {
    return interrupted.what();
  }
}

using InterruptionWatchDeathTest = InterruptionWatchTest;

TEST_F(InterruptionWatchTest, TurnsTheFirstSignalIntoAFlag) {
  const InterruptionWatch watch;
  EXPECT_FALSE(watch.requested());
  EXPECT_EQ(watch.signal(), 0);
  std::raise(SIGTERM);
  EXPECT_TRUE(watch.requested());
  EXPECT_EQ(watch.signal(), SIGTERM);
}

TEST_F(InterruptionWatchTest, StartsCleanEveryTime) {
  {
    const InterruptionWatch watch;
    std::raise(SIGINT);
    EXPECT_EQ(watch.signal(), SIGINT);
  }
  const InterruptionWatch watch;
  EXPECT_FALSE(watch.requested());
  EXPECT_EQ(watch.signal(), 0);
}

TEST_F(InterruptionWatchTest, GivesTheSignalsBack) {
  struct sigaction before {};
  struct sigaction during {};
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &before);
  {
    const InterruptionWatch watch;
    ::sigaction(SIGINT, nullptr, &during);
  }
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_NE(during.sa_handler, before.sa_handler);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST_F(InterruptionWatchTest, LeavesAnIgnoredSignalIgnored) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  {
    const InterruptionWatch watch;
    std::raise(SIGINT);
    EXPECT_FALSE(watch.requested());
  }
  std::signal(SIGINT, before);
}

TEST_F(InterruptionWatchDeathTest, TheSecondSignalEndsTheProcessAtOnce) {
  EXPECT_EXIT(
      {
        const InterruptionWatch watch;
        std::raise(SIGINT);
        std::raise(SIGTERM);
      },
      testing::ExitedWithCode(143), "");
}

TEST_F(InterruptionWatchTest, StandsWithinAnother) {
  const InterruptionWatch around({.left = "around"});
  {
    const InterruptionWatch within({.left = "within"});
    std::raise(SIGINT);
    EXPECT_TRUE(within.requested());
    EXPECT_EQ(said(), "cubicbench: ended by SIGINT; within");
  }
  EXPECT_TRUE(around.requested());
  EXPECT_EQ(said(), "cubicbench: ended by SIGINT; around");
}

TEST_F(InterruptionWatchTest, EndsNothingWithoutASignalOrAfterIt) {
  EXPECT_EQ(said(), "");
  {
    const InterruptionWatch watch;
    EXPECT_EQ(said(), "");
    std::raise(SIGTERM);
    EXPECT_EQ(said(), "cubicbench: ended by SIGTERM");
  }
  EXPECT_FALSE(is_interrupted());
  EXPECT_EQ(said(), "");
}

TEST_F(InterruptionWatchTest, ParallelLoopsAreLeft) {
  for (const int threads : {1, 4}) {
    const InterruptionWatch watch;
    std::atomic<int> called = 0;
    const auto body = [&](std::size_t) {
      if (called++ == 0) std::raise(SIGINT);
      while (!is_interrupted()) std::this_thread::yield();
    };
    EXPECT_THROW(parallel_for(1'000, threads, body), Interrupted);
    EXPECT_GE(called, 1);
    EXPECT_LE(called, threads);  // those that had begun
  }
}

TEST_F(InterruptionWatchDeathTest, BriefPatienceEndsWorkThatNeverLooks) {
  const auto never_ends = [](WatchTerms within) {
    const InterruptionWatch around({.patience = Patience::brief});
    const InterruptionWatch watch(std::move(within));
    std::raise(SIGTERM);
    while (true) ::pause();
  };
  EXPECT_EXIT(never_ends({}), testing::ExitedWithCode(143), "^cubicbench: ended by SIGTERM\n$");
  EXPECT_EXIT(never_ends({.left = "all is well"}), testing::ExitedWithCode(143),
              "^cubicbench: ended by SIGTERM; all is well\n$");
}

TEST_F(InterruptionWatchDeathTest, PatienceIsThatOfTheInnermost) {
  const auto takes_its_time = [] {
    const InterruptionWatch around({.patience = Patience::brief});
    {
      const InterruptionWatch watch({.patience = Patience::endless});
      std::raise(SIGTERM);
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      std::cerr << "in order\n";
    }
    while (true) ::pause();
  };
  EXPECT_EXIT(takes_its_time(), testing::ExitedWithCode(143),
              "^in order\ncubicbench: ended by SIGTERM\n$");
}

TEST(Interruption, SignalsHaveTheirNames) {
  EXPECT_EQ(signal_name(SIGINT), "SIGINT");
  EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_EQ(Interrupted(SIGTERM, "left in order").signal(), SIGTERM);
}

}  // namespace
}  // namespace cubicbench::support
