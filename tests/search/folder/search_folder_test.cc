#include "search/folder/search_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view plan = "{\"seeds\": 1}\n";

/// What taking the folder comes to: 0 taken, 2 bad input, 3 the world failed.
int taking(const std::filesystem::path& path, bool resume) {
  try {
    const SearchFolder folder(path, plan, resume);
    return 0;
  } catch (const support::InputError&) {
    return 2;
  } catch (const support::OutputError&) {
    return 3;
  }
}

/// The same in a process of its own.
int taking_elsewhere(const std::filesystem::path& path, bool resume) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(taking(path, resume));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

TEST(SearchFolder, IsHeldByOneProcess) {
  const TemporaryFolder place;
  {
    const SearchFolder held(place / "out", plan, false);
    EXPECT_EQ(read_text(place / "out/plan.json"), plan);
    EXPECT_EQ(taking_elsewhere(place / "out", true), 3);
    EXPECT_EQ(taking_elsewhere(place / "out", false), 3);
    EXPECT_EQ(files_below(place / "out").size(), 1U);
  }
  EXPECT_EQ(taking_elsewhere(place / "out", false), 2);
  EXPECT_EQ(taking_elsewhere(place / "out", true), 0);
}

TEST(SearchFolder, IsFreeAgainWhenItsProcessDies) {
  const TemporaryFolder place;
  const pid_t child = ::fork();
  if (child == 0) {
    const SearchFolder held(place / "out", plan, false);
    ::_exit(0);  // no destructor runs
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(taking(place / "out", true), 0);
}

/// As a child does that a killed search was just starting.
TEST(SearchFolder, IsWaitedForWhereItsLockIsLetGoAtOnce) {
  const TemporaryFolder place;
  { const SearchFolder begun(place / "out", plan, false); }
  int taken[2];
  ASSERT_EQ(::pipe(taken), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const SearchFolder held(place / "out", plan, true);
    ::close(taken[1]);  // says that it is held
    ::usleep(100'000);
    ::_exit(0);
  }
  ::close(taken[1]);
  char none = 0;
  EXPECT_EQ(::read(taken[0], &none, 1), 0);
  EXPECT_EQ(taking(place / "out", true), 0);
  ::close(taken[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SearchFolder, OneOfManyThatBeginTogetherGetsIt) {
  // Each contender waits at a pipe, tries at once with the others, and holds what it got until all
  // have tried.
  constexpr int contenders = 8;
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder place;
    std::array<int, 2> gate{}, tried{}, leave{};
    ASSERT_EQ(::pipe(gate.data()) + ::pipe(tried.data()) + ::pipe(leave.data()), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < contenders; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::close(gate[1]);
        ::close(leave[1]);
        char byte = 0;
        const bool opened = ::read(gate[0], &byte, 1) == 0;
        std::optional<SearchFolder> folder;
        int result = opened ? 0 : 9;
        try {
          folder.emplace(place / "out", plan, round % 2 == 1);
        } catch (const support::OutputError&) {
          result = 3;
        } catch (const support::InputError&) {
          result = 2;
        }
        const bool told = ::write(tried[1], "x", 1) == 1 && ::read(leave[0], &byte, 1) == 0;
        ::_exit(told ? result : 9);
      }
      children.push_back(child);
    }
    ::close(gate[0]);
    ::close(leave[0]);
    ::close(gate[1]);  // off they go
    for (int i = 0; i < contenders; ++i) {
      char byte = 0;
      EXPECT_EQ(::read(tried[0], &byte, 1), 1);
    }
    ::close(leave[1]);
    int winners = 0;
    for (const pid_t child : children) {
      int status = 0;
      EXPECT_EQ(::waitpid(child, &status, 0), child);
      winners += WEXITSTATUS(status) == 0 ? 1 : 0;
      EXPECT_THAT(WEXITSTATUS(status), testing::AnyOf(0, 2, 3));
    }
    ::close(tried[0]);
    ::close(tried[1]);
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(files_below(place / "out").size(), 1U);
  }
}

TEST(SearchFolder, FilesAreOpenedInItWhereverItIsMoved) {
  const TemporaryFolder place;
  const fs::path out = place / "out";
  SearchFolder held(out, plan, false);
  held.keep_truth();
  fs::rename(out, place / "moved");
  fs::create_directories(out / "journals");
  fs::create_directories(out / "truth");
  write_text(out / "journals/study.jsonl", "of another\n");
  const StudyPlaces places = held.places_of("study");
  VerifiedLog(places.journal, false).put("1\n");
  VerifiedLog(places.truth, false).put("2\n");
  EXPECT_EQ(read_text(place / "moved/journals/study.jsonl"), "1\n");
  EXPECT_EQ(read_text(place / "moved/truth/study.jsonl"), "2\n");
  EXPECT_EQ(read_text(out / "journals/study.jsonl"), "of another\n");
  EXPECT_FALSE(fs::exists(out / "truth/study.jsonl"));
  EXPECT_THROW(held.require_held(), support::OutputError);
}

TEST(SearchFolder, NeedsAFolder) {
  const TemporaryFolder place;
  write_text(place / "file", "text");
  EXPECT_EQ(taking(place / "file", false), 3);
  EXPECT_EQ(taking(place / "file/below", false), 3);
}

TEST(SearchFolder, IsNotLedElsewhere) {
  for (const char* room : {"journals", "truth"}) {
    const TemporaryFolder folder;
    write_text(folder / "mine/a.tmp", "precious");
    write_text(folder / "out/plan.json", plan);
    std::filesystem::create_directory_symlink(folder / "mine", folder / "out" / room);
    try {
      const SearchFolder search(folder / "out", plan, true);
      ADD_FAILURE() << "expected an error";
    } catch (const support::InputError& error) {
      EXPECT_EQ(error.what(),
                (folder / "out" / room).string() + ": expected a folder, got a link to one");
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "mine/a.tmp"));
  }
}

TEST(SearchFolder, RefusesAPlanThatIsNoJson) {
  const TemporaryFolder place;
  write_text(place / "out/plan.json", "{\"seeds\"");
  EXPECT_EQ(taking(place / "out", true), 2);
  EXPECT_EQ(read_text(place / "out/plan.json"), "{\"seeds\"");
}

}  // namespace
}  // namespace cubicbench::search
