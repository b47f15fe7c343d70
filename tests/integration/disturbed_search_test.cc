// Others at work on the same machine: on the folder of a search, on its process, and on what it may
// have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

using Words = std::vector<std::string>;

/// Long enough to be met at work: 24,000 launches.
Words search(const std::string& out, const Words& more = {}) {
  Words words{"search", "tiny-llama", "--searcher", "random",   "--trials", "600",   "--seeds",
              "40",     "--threads",  "2",          "--resume", "--quiet",  "--out", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::map<std::string, std::string>& undisturbed() {
  static const std::map<std::string, std::string> content = [] {
    const TemporaryFolder folder;
    const Ending ending = run_program(search(folder / "whole"));
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return files_below(folder / "whole");
  }();
  return content;
}

/// Names what differs instead of printing megabytes.
void expect_undisturbed(const fs::path& out) {
  const std::map<std::string, std::string> content = files_below(out);
  EXPECT_EQ(content.size(), undisturbed().size());
  for (const auto& [path, text] : undisturbed()) {
    const auto found = content.find(path);
    EXPECT_TRUE(found != content.end() && found->second == text) << path;
  }
}

bool is_removed(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  return !fs::exists(folder);
}

bool is_at_work(const fs::path& out) { return bytes_of(out / "journals") > 10'000; }

TEST(DisturbedSearch, StoppedAndContinuedItLeavesTheSameBytes) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  ProgramRun run(search(out));
  ASSERT_TRUE(wait_until(run, [&] { return is_at_work(out); }));
  for (int i = 0; i < 3; ++i) {
    run.send(SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    run.send(SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const Ending ending = run.wait();
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  expect_undisturbed(out);
}

TEST(DisturbedSearch, OfManyProcessesOneHasTheFolder) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  std::vector<std::unique_ptr<ProgramRun>> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(std::make_unique<ProgramRun>(search(out)));
  int done = 0;
  for (const auto& run : runs) {
    const Ending ending = run->wait();
    ASSERT_THAT(ending.exit_code, AnyOf(0, 3)) << ending.err;
    done += ending.exit_code == 0 ? 1 : 0;
    if (ending.exit_code == 3) {
      EXPECT_THAT(ending.err, HasSubstr(out));
    }
  }
  EXPECT_GE(done, 1);
  expect_undisturbed(out);
}

TEST(DisturbedSearch, AFolderThatIsRemovedStaysRemoved) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  ProgramRun run(search(out));
  ASSERT_TRUE(wait_until(run, [&] { return is_at_work(out); }));
  fs::rename(out, folder / "gone");
  // Again, where the program makes a file in between.
  wait_until(run, [&] { return is_removed(folder / "gone"); });
  const Ending ending = run.wait();
  EXPECT_TRUE(is_removed(folder / "gone"));
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr(out.string()));
  EXPECT_FALSE(fs::exists(out));
}

TEST(DisturbedSearch, AFolderThatTakesItsPlaceIsNotWrittenTo) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  ProgramRun run(search(out));
  ASSERT_TRUE(wait_until(run, [&] { return is_at_work(out); }));
  fs::rename(out, folder / "moved");
  fs::create_directories(out / "journals");
  fs::create_directories(out / "truth");
  const Ending ending = run.wait();
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr(out.string()));
  EXPECT_EQ(bytes_of(out), 0U);
  // What was moved is a search that was interrupted.
  const Ending resumed = run_program(search(folder / "moved"));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_undisturbed(folder / "moved");
}

TEST(DisturbedSearch, TenThousandStudiesNeedNoMoreDescriptorsThanOne) {
  const TemporaryFolder folder;
  const Ending ending = run_program({"search", "tiny-gpt", "--searcher", "random", "--trials", "1",
                                     "--seeds", "10000", "--quiet", "--out", folder / "out"},
                                    {.descriptors = 64});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Ending report =
      run_program({"export", folder / "out", "--format", "csv", "--quiet", "--out", folder / "csv"},
                  {.descriptors = 64});
  EXPECT_EQ(report.exit_code, 0) << report.err;
}

/// A command that has too little memory says so: no signal, no half result.
TEST(LimitedMemory, EndsEveryCommandInOrder) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
  const TemporaryFolder folder;
  const std::string searched = folder / "searched";
  ASSERT_EQ(run_program({"search", "tiny-gpt", "--searcher", "random,coordinate", "--trials", "6",
                         "--quiet", "--out", searched})
                .exit_code,
            0);
  const std::vector<Words> commands{
      {"list", "scenarios"},
      {"simulate", "llama3-405b", "--engine", "event"},
      {"collective", "--op", "all_reduce", "--size", "1M", "--cluster", "nvlink4-ndr", "--ranks",
       "16"},
      {"search", "ads-73b", "--searcher", "cubicml,constrained-gp", "--trials", "40", "--out",
       folder / "out"},
      {"compare", searched, searched, "--searcher", "random,coordinate"},
      {"verify", searched},
      {"export", searched, "--format", "csv", "--out", folder / "csv"},
      {"enumerate", "llama3-8b", "--out", folder / "enumerated.json"},
      {"landscape", "llama3-8b"},
      {"dataset", "describe", "vtrain"},
      {"predict", "hf_ultrascale_nanotron_sweep", "--out", folder / "predicted"},
      {"validate", "vtrain"},
      {"report", searched, "--out", folder / "page.html"}};
  for (const Words& command : commands) {
    // The libraries alone take some 150 MB of addresses: with less the loader ends it before we can
    // say anything.
    for (const std::uint64_t megabytes : {200, 260, 350, 500, 900}) {
      SCOPED_TRACE(command.front() + " with " + std::to_string(megabytes) + " MB");
      const Ending ending = run_program(command, {.memory_bytes = megabytes << 20});
      EXPECT_EQ(ending.signal, 0);
      EXPECT_THAT(ending.exit_code, AnyOf(0, 3)) << ending.err;
      if (ending.exit_code == 3) {
        EXPECT_NE(ending.err, "");
      }
      if (ending.exit_code == 0) break;  // more is enough too
    }
  }
}

}  // namespace
}  // namespace cubicbench::integration
