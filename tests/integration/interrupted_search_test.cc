// The promise of a search folder: whatever ends the program, --resume leaves the bytes of a run
// that nothing ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

using Words = std::vector<std::string>;

Words search(const std::string& out, const Words& more = {}) {
  Words words{"search",   "tiny-llama", "--searcher", "random,evolution",
              "--trials", "1000",       "--seeds",    "2",
              "--out",    out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The folder of the search above that nothing interrupted, made once.
const std::map<std::string, std::string>& uninterrupted() {
  static const std::map<std::string, std::string> content = [] {
    const TemporaryFolder folder;
    const Ending ending = run_program(search(folder / "whole"));
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return files_below(folder / "whole");
  }();
  return content;
}

std::uint64_t size_of_all(const std::map<std::string, std::string>& content) {
  std::uint64_t bytes = 0;
  for (const auto& [path, text] : content) bytes += text.size();
  return bytes;
}

/// Names what differs instead of printing megabytes.
void expect_same(const std::map<std::string, std::string>& content) {
  const auto& expected = uninterrupted();
  for (const auto& [path, text] : content) {
    const auto found = expected.find(path);
    if (found == expected.end()) {
      ADD_FAILURE() << path << " stayed in the folder";
    } else if (found->second != text) {
      const auto differ =
          std::mismatch(text.begin(), text.end(), found->second.begin(), found->second.end());
      ADD_FAILURE() << path << " differs from byte " << differ.first - text.begin() << " on, has "
                    << text.size() << " bytes of " << found->second.size();
    }
  }
  EXPECT_EQ(content.size(), expected.size());
}

/// Of a finished.json: every study that it lists, as the whole search lists it.
void expect_listed(const std::string& finished) {
  const auto whole = nlohmann::json::parse(uninterrupted().at("finished.json")).at("studies");
  for (const auto& study : nlohmann::json::parse(finished).at("studies")) {
    EXPECT_THAT(whole, testing::Contains(study));
  }
}

std::string threads(int round) { return std::to_string(1 + round % 2); }

void resume_to_the_end(const std::string& out, const Words& more = {"--resume"}) {
  const Ending ending = run_program(search(out, more));
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  expect_same(files_below(out));
}

TEST(InterruptedSearch, WholeFolderHoldsWhatWasPromised) {
  const auto& content = uninterrupted();
  // A plan, and four studies with a journal and a truth each: a header and 1,000 lines.
  ASSERT_EQ(content.size(), 10U);
  EXPECT_TRUE(content.contains("plan.json"));
  for (const std::string searcher : {"random", "evolution"}) {
    for (const std::string seed : {"0", "1"}) {
      for (const std::string room : {"journals", "truth"}) {
        const std::string path = room + "/tiny-llama.0." + searcher + "." + seed + ".jsonl";
        ASSERT_TRUE(content.contains(path)) << path;
        EXPECT_EQ(std::ranges::count(content.at(path), '\n'), 1001) << path;
      }
    }
  }
}

TEST(InterruptedSearch, ThreadsAndSyncChangeNoByte) {
  const TemporaryFolder folder;
  for (const Words& more : {Words{"--threads", "1"}, Words{"--threads", "2"},
                            Words{"--threads", "8"}, Words{"--sync", "--quiet"}}) {
    const std::string out = folder / more.back();
    EXPECT_EQ(run_program(search(out, more)).exit_code, 0);
    expect_same(files_below(out));
  }
}

TEST(InterruptedSearch, KilledAtTwentyMomentsItResumesToTheSameBytes) {
  const std::uint64_t whole = size_of_all(uninterrupted());
  std::mt19937_64 random(20'240'301);
  int killed = 0;
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const std::string out = folder / "search";
    // Once to three times, each time later: a resumed run must bear it too.
    std::uint64_t moment = 0;
    for (int kills = 1 + round % 3; kills > 0; --kills) {
      moment += random() % (whole - moment);
      ProgramRun run(search(out, {"--resume", "--threads", threads(round + kills)}));
      wait_until(run, [&] { return bytes_of(out) >= moment; });
      run.send(SIGKILL);
      killed += run.wait().signal == SIGKILL ? 1 : 0;
    }
    resume_to_the_end(out, {"--resume", "--threads", threads(round)});
  }
  EXPECT_GT(killed, 0);  // on any machine some of 39 come before the end
  RecordProperty("killed", killed);
}

TEST(InterruptedSearch, SigtermEndsItInOrderWith143) {
  int ended_early = 0;
  for (int round = 0; round < 20 && ended_early < 3; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const std::string out = folder / "search";
    ProgramRun run(search(out, {"--threads", threads(round)}));
    wait_until(run, [&] { return bytes_of(out) > 20'000; });
    run.send(SIGTERM);
    const Ending ending = run.wait();
    if (ending.exit_code == 0) continue;  // it was done first
    ++ended_early;
    EXPECT_EQ(ending.exit_code, 143);
    EXPECT_EQ(ending.out, "");
    EXPECT_THAT(ending.err,
                ContainsRegex("^cubicbench: ended by SIGTERM; .*/search is in order: .* --resume "
                              "continues\n$"));
    // Nothing half-written: every file that is there ends with a whole line and begins the same.
    for (const auto& [path, text] : files_below(out)) {
      ASSERT_TRUE(uninterrupted().contains(path)) << path;
      if (path == "finished.json") {
        expect_listed(text);
      } else {
        EXPECT_TRUE(uninterrupted().at(path).starts_with(text)) << path;
      }
      EXPECT_TRUE(text.ends_with('\n')) << path;
    }
    resume_to_the_end(out);
  }
  EXPECT_GT(ended_early, 0);
}

TEST(InterruptedSearch, AFullDiskExitsWith3AndResumesOnceThereIsRoom) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ProgramRun run(search(out), {.file_bytes = 30'000});
  const Ending ending = run.wait();
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_EQ(ending.out, "");
  EXPECT_THAT(ending.err, HasSubstr(".jsonl: cannot be written: "));
  resume_to_the_end(out);
}

TEST(InterruptedSearch, AFinishedFolderIsLeftAsItIs) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ASSERT_EQ(run_program(search(out)).exit_code, 0);
  resume_to_the_end(out);
}

// ---- damage ---------------------------------------------------------------------------------

constexpr const char* journal = "journals/tiny-llama.0.random.1.jsonl";
constexpr const char* truth = "truth/tiny-llama.0.random.1.jsonl";

TEST(DamagedSearch, ATornLastLineIsHealed) {
  for (const char* file : {journal, truth}) {
    for (const std::uint64_t lost : {1, 2, 50}) {
      SCOPED_TRACE(file + std::string(" lost ") + std::to_string(lost));
      const TemporaryFolder folder;
      const std::string out = folder / "search";
      ASSERT_EQ(run_program(search(out)).exit_code, 0);
      const std::filesystem::path path = std::filesystem::path(out) / file;
      std::filesystem::resize_file(path, std::filesystem::file_size(path) - lost);
      resume_to_the_end(out);
    }
  }
}

TEST(DamagedSearch, DamageElsewhereExitsWith2AtFileAndLine) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ASSERT_EQ(run_program(search(out)).exit_code, 0);
  const std::filesystem::path path = std::filesystem::path(out) / journal;
  const std::string whole = read_text(path);
  // Line 3: the second launch.
  const std::size_t line = whole.find('\n', whole.find('\n') + 1) + 1;
  std::string damaged = whole;
  damaged[line] = '#';
  write_text(path, damaged);
  const Ending ending = run_program(search(out, {"--resume"}));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.out, "");
  EXPECT_THAT(ending.err, HasSubstr(path.string() + ":3"));
  EXPECT_EQ(read_text(path), damaged);  // what is the user's is not repaired by guessing
}

TEST(DamagedSearch, AForeignFileExitsWith2) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ASSERT_EQ(run_program(search(out)).exit_code, 0);
  write_text(out + "/journals/other.0.random.0.jsonl", "{}\n");
  const Ending ending = run_program(search(out, {"--resume"}));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("other.0.random.0.jsonl"));
}

TEST(DamagedSearch, TemporaryFilesAreNotKept) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  std::filesystem::create_directories(out);
  write_text(out + "/plan.json.tmp", "{");
  resume_to_the_end(out);
  EXPECT_FALSE(std::filesystem::exists(out + "/plan.json.tmp"));
}

}  // namespace
}  // namespace cubicbench::integration
