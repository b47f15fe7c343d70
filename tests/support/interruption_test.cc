#include "support/interruption.h"

#include <gtest/gtest.h>

#include <csignal>

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

TEST(Interruption, SignalsHaveTheirNames) {
  EXPECT_EQ(signal_name(SIGINT), "SIGINT");
  EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_EQ(Interrupted(SIGTERM, "left in order").signal(), SIGTERM);
}

}  // namespace
}  // namespace cubicbench::support
