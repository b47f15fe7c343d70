// Runs the commands that pages show, in their order and in one folder, as a reader would who copies
// them, and compares what they print with what the page shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/code_blocks.h"
#include "tests/integration/program_run.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

using Lines = std::vector<std::string>;

/// A command, which may go over several lines, and what it prints as far as a page shows it.
struct ShownCommand {
  std::string command;
  Lines output;
};

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Those of the blocks of code, each behind "$ "; scripts/reference.py runs those between markers.
std::vector<ShownCommand> shown_commands(const std::string& page) {
  std::vector<ShownCommand> commands;
  for (const CodeBlock& block : code_blocks(page)) {
    if (block.is_indented || block.is_generated) continue;
    bool is_shown = false;  // the lines are of the last command
    for (const std::string& line : lines_of(block.text)) {
      if (line.starts_with("$ ")) {
        commands.push_back({.command = line.substr(2), .output = {}});
        is_shown = true;
      } else if (is_shown && commands.back().output.empty() &&
                 commands.back().command.ends_with('\\')) {
        commands.back().command += "\n" + line;
      } else if (is_shown) {
        commands.back().output.push_back(line);
      }
    }
  }
  for (ShownCommand& of : commands) {
    while (!of.output.empty() && of.output.back().empty()) of.output.pop_back();
  }
  return commands;
}

/// Every page that shows a command, by its path in the repository.
std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages;
  for (const fs::path& page : pages_of(CUBICBENCH_SOURCE_DIR)) {
    if (shown_commands(read_text(page)).empty()) continue;
    pages.push_back(fs::relative(page, CUBICBENCH_SOURCE_DIR).generic_string());
  }
  return pages;
}

/// Is `printed` what `shown` says? There a line "..." stands for any lines, or none.
bool shows(const Lines& shown, const Lines& printed) {
  auto at = printed.begin();
  bool may_skip = false;
  for (auto begin = shown.begin(); begin != shown.end();) {
    if (*begin == "...") {
      may_skip = true;
      ++begin;
      continue;
    }
    const auto end = std::find(begin, shown.end(), "...");
    const auto found = may_skip && end == shown.end() ? std::find_end(at, printed.end(), begin, end)
                                                      : std::search(at, printed.end(), begin, end);
    if (found == printed.end() || (!may_skip && found != at)) return false;
    at = found + (end - begin);
    begin = end;
    may_skip = false;
  }
  return may_skip || at == printed.end();
}

struct Answer {
  int exit_code = 0;
  Lines printed;
};

/// Says how far a command is, which only one that takes more than ten seconds does:
/// "16,515/48,000 launches, 1,856/s, 17 s left".
bool is_progress(const std::string& line) {
  static const std::regex progress(R"([\d,]+/[\d,]+ \S.*/s, .* left)");
  return std::regex_match(line, progress);
}

/// What a shell answers in `folder`, where `cubicbench` is the program that was built.
Answer answer(const std::string& command, const fs::path& folder) {
  const Ending ending = run_script("exec 2>&1\n" + command, folder);
  Lines printed = lines_of(ending.out);
  std::erase_if(printed, is_progress);
  while (!printed.empty() && printed.back().empty()) printed.pop_back();
  return {.exit_code = ending.exit_code, .printed = std::move(printed)};
}

TEST(ShownCommands, AreThoseOfBlocksOfCode) {
  const auto commands = shown_commands(
      "$ not in a block\n```\n$ one a \\\n  b\nout\n\nmore\n\n$ two  # says nothing\n```\nout\n");
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].command, "one a \\\n  b");
  EXPECT_THAT(commands[0].output, ElementsAre("out", "", "more"));
  EXPECT_EQ(commands[1].command, "two  # says nothing");
  EXPECT_THAT(commands[1].output, ElementsAre());
}

TEST(ShownCommands, MayLeaveLinesOut) {
  const Lines printed{"a", "b", "c", "b", "d"};
  for (const Lines& shown : {Lines{"a", "b", "c", "b", "d"}, Lines{"..."}, Lines{"a", "..."},
                             Lines{"...", "d"}, Lines{"a", "...", "c", "...", "d"},
                             Lines{"...", "b", "d"}, Lines{"a", "b", "...", "b", "d"}}) {
    EXPECT_TRUE(shows(shown, printed)) << testing::PrintToString(shown);
  }
  for (const Lines& shown : {Lines{}, Lines{"a"}, Lines{"...", "c"}, Lines{"b", "..."},
                             Lines{"a", "...", "d", "...", "b"}, Lines{"...", "e", "..."}}) {
    EXPECT_FALSE(shows(shown, printed)) << testing::PrintToString(shown);
  }
}

class ShownCommandsOf : public testing::TestWithParam<std::string> {};

TEST_P(ShownCommandsOf, PrintWhatThePageShows) {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  const TemporaryFolder folder;
  for (const char* const room :
       {"clients", "datasets", "docs", "examples", "python", "scenarios"}) {
    fs::create_directory_symlink(root / room, folder / room);
  }
  const auto commands = shown_commands(read_text(root / GetParam()));
  ASSERT_FALSE(commands.empty());
  for (const ShownCommand& of : commands) {
    const Answer got = answer(of.command, folder.path());
    if (of.output.empty()) {
      EXPECT_EQ(got.exit_code, 0) << of.command << "\n" << testing::PrintToString(got.printed);
    } else {
      EXPECT_TRUE(shows(of.output, got.printed)) << of.command << "\nprints\n"
                                                 << testing::PrintToString(got.printed);
    }
  }
}

TEST(ShownCommands, DrawThePictureOfTheReadme) {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  const TemporaryFolder folder;
  const auto commands = shown_commands(read_text(root / "README.md"));
  ASSERT_GE(commands.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(answer(commands[i].command, folder.path()).exit_code, 0) << commands[i].command;
  }
  EXPECT_TRUE(read_text(folder / "search.ads-73b.svg") ==
              read_text(root / "docs/figures/search.svg"))
      << "docs/figures/search.svg is stale: draw it again by the first two commands of README.md";
}

INSTANTIATE_TEST_SUITE_P(Pages, ShownCommandsOf, testing::ValuesIn(pages_with_commands()),
                         [](const testing::TestParamInfo<std::string>& page) {
                           std::string name = page.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace cubicbench::integration
