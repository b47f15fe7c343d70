#include "search/backends/slurm_pace.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(SlurmPace, AsksEverMoreRarelyUntilSomethingHappens) {
  SlurmPace pace(seconds{5}, seconds{60});
  SlurmPace::Clock::time_point now{seconds{100}};
  EXPECT_LE(pace.next(), now) << "at once";
  for (const int pause_s : {1, 2, 4, 5, 5}) {
    pace.answered(now);
    EXPECT_EQ(pace.next() - now, seconds{pause_s});
    now = pace.next();
  }
  pace.quicken(now);
  EXPECT_EQ(pace.next() - now, seconds{1});
  SlurmPace quick(milliseconds{50}, seconds{60});
  quick.quicken(now);
  EXPECT_EQ(quick.next() - now, milliseconds{50}) << "the longest pause is the first";
}

TEST(SlurmPace, GivesUpAfterSilenceInOnePiece) {
  SlurmPace pace(seconds{5}, seconds{60});
  const SlurmPace::Clock::time_point begin{seconds{100}};
  pace.unanswered(begin, "no answer");
  pace.unanswered(begin + seconds{59}, "no answer");
  pace.answered(begin + seconds{59});
  pace.unanswered(begin + seconds{70}, "no answer");
  pace.unanswered(begin + seconds{129}, "no answer");
  try {
    pace.unanswered(begin + seconds{130}, "squeue: error: connect failure");
    FAIL() << "it waits for ever";
  } catch (const support::OutputError& error) {
    EXPECT_STREQ(error.what(),
                 "Slurm has not answered for 60 s: squeue: error: connect failure; its jobs go on, "
                 "and --resume collects them");
  }
}

}  // namespace
}  // namespace cubicbench::search
