// A search whose launches last as long as the test wants: the command waits for a file to go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A search of three launches, each of which ends when `hold` is removed.
struct HeldSearch {
  TemporaryFolder folder;
  std::string hold = folder / "hold";
  std::string begun = folder / "begun";
  std::string out = folder / "search";

  HeldSearch() { write_text(hold, ""); }

  std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
    const std::string launch =
        "command:sh -c 'touch " + begun + "; while [ -e " + hold + " ]; do sleep 0.01; done; " +
        R"(echo "{\"state\":\"complete\",\"value\":5,\"metrics\":{},\"cost_gpu_hours\":1}"')";
    std::vector<std::string> all{"search", "tiny-llama", "--searcher", "random", "--trials",
                                 "3",      "--backend",  launch,       "--out",  out};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void wait_for_a_launch(ProgramRun& run) const {
    ASSERT_TRUE(wait_until(run, [&] { return std::filesystem::exists(begun); })) << run.wait().err;
  }
  void let_go() const { std::filesystem::remove(hold); }
  std::size_t lines() const {
    const std::string text = read_text(out + "/journals/tiny-llama.0.random.0.jsonl");
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
};

TEST(HeldSearch, ASecondProcessIsRefusedWith3AndTheFirstGoesOn) {
  const HeldSearch held;
  ProgramRun first(held.words());
  held.wait_for_a_launch(first);
  const Ending second = run_program(held.words({"--resume"}));
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_EQ(second.out, "");
  EXPECT_THAT(second.err, HasSubstr(held.out));
  held.let_go();
  const Ending ending = first.wait();
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(held.lines(), 4U);
}

TEST(HeldSearch, TheFirstSignalLetsTheRunningLaunchEnd) {
  const HeldSearch held;
  ProgramRun run(held.words());
  held.wait_for_a_launch(run);
  run.send(SIGINT);
  held.let_go();
  const Ending ending = run.wait();
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_THAT(ending.err, StartsWith("cubicbench: waiting for the launches that run"));
  EXPECT_THAT(ending.err, HasSubstr("\ncubicbench: ended by SIGINT; "));
  EXPECT_EQ(held.lines(), 2U);  // the header and the launch that was running
  const Ending resumed = run_program(held.words({"--resume"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(held.lines(), 4U);
}

TEST(HeldSearch, TheSecondSignalEndsItAtOnce) {
  const HeldSearch held;
  ProgramRun run(held.words());
  held.wait_for_a_launch(run);
  // Two equal signals may arrive as one, so they are sent until it is gone.
  wait_until(run, [&] {
    run.send(SIGTERM);
    return false;
  });
  EXPECT_EQ(run.wait().exit_code, 143);
  EXPECT_EQ(held.lines(), 1U);  // nothing half-written: the header alone
  held.let_go();
  const Ending resumed = run_program(held.words({"--resume"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(held.lines(), 4U);
}

TEST(FailedCommand, IsExplainedOnceAStudy) {
  struct Case {
    const char* command;
    const char* note;
  };
  for (const Case& c : {
           Case{R"(command:echo '{"state":"complete","value":"5"}')",
                "cubicbench: tiny-llama.0.random.0: trial 0 failed: answer#/value: expected a "
                "number, got \"5\"\n"},
           Case{R"(command:echo '{"state":"fail","reason":"oom_late","message":"killed at 41"}')",
                "cubicbench: tiny-llama.0.random.0: trial 0 failed: killed at 41\n"},
       }) {
    SCOPED_TRACE(c.command);
    const TemporaryFolder folder;
    std::vector<std::string> words{"search", "tiny-llama", "--searcher", "random", "--trials",
                                   "3",      "--backend",  c.command,    "--out",  folder / "out"};
    const Ending ending = run_program(words);
    EXPECT_EQ(ending.exit_code, 0);
    EXPECT_EQ(ending.err, c.note);
    words.back() = folder / "quiet";
    words.push_back("--quiet");
    EXPECT_EQ(run_program(words).err, "");
  }
}

}  // namespace
}  // namespace cubicbench::integration
