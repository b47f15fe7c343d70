// Lessons in a terminal, on pages and in docs/lessons.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.h"
#include "tests/integration/program_run.h"
#include "tests/program_path.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A terminal with the program in it.
class TerminalRun {
 public:
  explicit TerminalRun(const std::string& number) : terminal_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(::grantpt(terminal_), 0);
    EXPECT_EQ(::unlockpt(terminal_), 0);
    const std::string name = ::ptsname(terminal_);
    const std::string program = program_path();
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setsid();
    const int side = ::open(name.c_str(), O_RDWR);
    for (int stream = 0; stream <= 2; ++stream) ::dup2(side, stream);
    ::execl(program.c_str(), "cubicbench", "lesson", number.c_str(), nullptr);
    ::_exit(127);
  }
  TerminalRun(const TerminalRun&) = delete;
  TerminalRun& operator=(const TerminalRun&) = delete;
  ~TerminalRun() { ::close(terminal_); }

  /// Reads up to the end of `text`; false where the program ends before.
  bool read_to(const std::string& text) {
    while (shown.find(text) == std::string::npos) {
      char piece[4096];
      const ssize_t bytes = ::read(terminal_, piece, sizeof piece);
      if (bytes <= 0) return false;
      shown.append(piece, static_cast<std::size_t>(bytes));
    }
    return true;
  }

  void type(const std::string& line) {
    const std::string typed = line + "\n";
    EXPECT_EQ(::write(terminal_, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
  }

  int exit_code() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string shown;

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
};

const fs::path shipped = CUBICBENCH_SOURCE_DIR "/docs/lessons";

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(CUBICBENCH_SOURCE_DIR "/results/lessons/texts")) {
    files.push_back(entry.path().filename().string());
  }
  return files;
}

TEST(LessonRun, APersonPlaysEachToItsLastAnswer) {
  for (std::size_t number = 1; number <= lesson_files().size(); ++number) {
    SCOPED_TRACE(number);
    TerminalRun run(std::to_string(number));
    ASSERT_TRUE(run.read_to("Your prediction, "));
    EXPECT_EQ(run.shown.find("A measured run"), std::string::npos);
    run.type("maybe");
    ASSERT_TRUE(run.read_to("Please type "));
    run.type("a");
    ASSERT_TRUE(run.read_to("Enter shows the solution: "));
    EXPECT_THAT(run.shown, HasSubstr("A measured run"));
    run.type("");
    EXPECT_FALSE(run.read_to("a text that never comes"));
    EXPECT_THAT(run.shown, HasSubstr("Solution"));
    EXPECT_EQ(run.exit_code(), 0);
  }
}

// With keys alone, on every page; nothing is said where no browser is installed.
TEST(LessonRun, ABrowserPlaysEachToItsLastAnswer) {
  std::string told;
  support::Process process(
      {.arguments = {"python3", "-B", CUBICBENCH_SOURCE_DIR "/scripts/play_lessons.py",
                     program_path()}},
      "",
      {.out = [&](std::string_view piece) { told += piece; },
       .err = [&](std::string_view piece) { told += piece; }});
  support::Process* const self = &process;
  while (!process.ended()) support::Process::attend({&self, 1}, std::chrono::milliseconds(50));
  if (told.starts_with("skipped")) GTEST_SKIP() << told;
  EXPECT_EQ(process.end().exit_code, 0) << told;
}

TEST(LessonRun, NobodyIsWaitedForWithoutInput) {
  const Ending ending = run_program({"lesson", "1"});
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_THAT(ending.out, HasSubstr("\nIt is c. "));
  EXPECT_THAT(ending.out, HasSubstr("\nSolution\n"));
}

TEST(LessonRun, DocsAreWhatTheCommandWrites) {
  const TemporaryFolder folder;
  const Ending ending = run_program({"lesson", "--markdown", folder / "lessons"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  std::vector<std::string> files = lesson_files();
  files.emplace_back("README.md");
  for (const std::string& file : files) {
    EXPECT_TRUE(read_text(folder / "lessons" / file) == read_text(shipped / file))
        << file
        << " is stale: run `cubicbench lesson --markdown docs/lessons` and say in the commit "
        << "which numbers moved and why";
  }
}

TEST(LessonRun, PagesAreANewFolder) {
  const TemporaryFolder folder;
  const Ending ending = run_program({"lesson", "--out", folder / "pages"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const std::string index = read_text(folder / "pages/index.html");
  for (std::string file : lesson_files()) {
    file.replace(file.size() - 2, 2, "html");
    EXPECT_THAT(index, HasSubstr("href=\"" + file + "\""));
    EXPECT_THAT(read_text(folder / "pages" / file), HasSubstr("href=\"index.html\""));
  }
  EXPECT_EQ(run_program({"lesson", "--out", folder / "pages"}).exit_code, 2);
}

}  // namespace
}  // namespace cubicbench::integration
