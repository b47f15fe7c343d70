// What enumerate promises of its files: the same bytes however the work was divided, and nothing
// half-written however it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

/// A space with enough values for files of them: 797,280 configurations.
constexpr const char* large = "llama3-405b-long";

Ending enumerate(const std::string& scenario, const Words& more) {
  Words words{"enumerate", scenario};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

TEST(EnumerateCommand, WritesTheSameBytesOnAnyThreadsAndInShards) {
  const TemporaryFolder folder;
  for (const std::string scenario : {"tiny-gpt", large}) {
    const std::string whole = folder / scenario;
    ASSERT_EQ(enumerate(scenario, {"--out", whole, "--threads", "1"}).exit_code, 0);
    ASSERT_EQ(enumerate(scenario, {"--out", whole + ".2", "--threads", "2"}).exit_code, 0);
    EXPECT_TRUE(read_text(whole) == read_text(whole + ".2"));

    Words merge{"merge", "--out", whole + ".merged"};
    for (const std::string i : {"3", "1", "2"}) {
      const std::string shard = whole + ".shard" + i;
      const Ending ending = enumerate(scenario, {"--shard", i + "/3", "--out", shard});
      ASSERT_EQ(ending.exit_code, 0) << ending.err;
      merge.push_back(shard);
    }
    const Ending merged = run_program(merge);
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_TRUE(read_text(whole) == read_text(whole + ".merged"));
  }
  // Few values stand in the document of a shard, many beside it.
  const auto content = files_below(folder.path());
  EXPECT_FALSE(content.contains("tiny-gpt.shard1.values"));
  ASSERT_TRUE(content.contains(std::string(large) + ".shard1.values"));

  // Values that were changed are not merged.
  write_text(folder / (std::string(large) + ".shard2.values"), "nothing");
  Words merge{"merge", "--out", folder / "no.json"};
  for (const std::string i : {"1", "2", "3"}) {
    merge.push_back(folder / (std::string(large) + ".shard" + i));
  }
  const Ending refused = run_program(merge);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("got a file with another SHA-256"));
  EXPECT_FALSE(files_below(folder.path()).contains("no.json"));
}

TEST(EnumerateCommand, BoundsSayTheSameOnAnyThreads) {
  const TemporaryFolder folder;
  for (const std::string threads : {"1", "2"}) {
    const Ending ending =
        enumerate("ads-73b", {"--limit", "20000", "--threads", threads, "--out", folder / threads});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }
  EXPECT_TRUE(read_text(folder / "1") == read_text(folder / "2"));
}

TEST(EnumerateCommand, LeavesNothingBehindWhenASignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    // Minutes of work, and values that go to the disk.
    ProgramRun run({"enumerate", "llama3-405b", "--out", folder / "a.json", "--threads", "2"});
    const auto started = std::chrono::steady_clock::now();
    wait_until(run, [&] {
      return std::chrono::steady_clock::now() - started > std::chrono::milliseconds(1500);
    });
    run.send(signal);
    const Ending ending = run.wait();
    EXPECT_EQ(ending.exit_code, 128 + signal) << ending.err;
    EXPECT_EQ(ending.out, "");
    EXPECT_THAT(ending.err, HasSubstr("nothing was written"));
    EXPECT_TRUE(files_below(folder.path()).empty());
  }
}

TEST(EnumerateCommand, SaysBeforeTheWorkThatItCannotWrite) {
  const TemporaryFolder folder;
  const Ending ending = enumerate("ads-73b", {"--out", folder / "nowhere/a.json"});
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace cubicbench::integration
