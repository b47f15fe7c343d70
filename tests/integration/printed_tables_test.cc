// Tables and paragraphs of pages whose numbers a command prints: the comments above one name
// columns and the command, which is run.
//
//   <!-- printed: COLUMN; COLUMN | cubicbench simulate llama3-8b -->
//   <!-- printed: COLUMN; COLUMN | below -->                          the next lines of a shell
//   <!-- printed: prose | above -->                                   those before it
//   <!-- printed slowly: COLUMN | cubicbench landscape ads-73b -->    by the stage docs alone
//
// Of a paragraph, `prose`, those numbers are meant that have a point or a comma.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/code_blocks.h"
#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<std::string>;

Words split(const std::string& text, char end) {
  Words parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, end);) {
    const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
    parts.push_back(part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
  }
  return parts;
}

/// Runs of digits with points and commas among them.
Words numbers_of(const std::string& text) {
  Words numbers;
  bool is_inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    const bool is_mark = (text[i] == '.' || text[i] == ',') && is_inside && is_digit(i + 1);
    if (!is_digit(i) && !is_mark) {
      is_inside = false;
      continue;
    }
    if (!is_inside) numbers.emplace_back();
    is_inside = true;
    numbers.back() += text[i];
  }
  return numbers;
}

/// What a comment says of the table or paragraph below it.
struct PrintedTable {
  std::size_t line = 0;
  bool is_slow = false;
  std::string commands{};
  Words numbers{};  ///< of its named columns, row by row, or of the paragraph
};

/// The numbers of the columns called `names` in the rows of a table.
Words numbers_in(const std::vector<Words>& rows, const Words& names) {
  Words numbers;
  for (std::size_t row = 2; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < std::min(rows[row].size(), rows[0].size()); ++column) {
      if (!std::ranges::count(names, rows[0][column])) continue;
      const Words of_cell = numbers_of(rows[row][column]);
      numbers.insert(numbers.end(), of_cell.begin(), of_cell.end());
    }
  }
  return numbers;
}

/// Those of a paragraph that begins in the first of `lines` from `at` on that is no comment.
Words numbers_of_prose(const Words& lines, std::size_t at) {
  while (at < lines.size() && !comment_in(lines[at]).empty()) ++at;
  Words numbers;
  for (; at < lines.size() && !lines[at].empty(); ++at) {
    for (const std::string& number : numbers_of(lines[at])) {
      if (number.find_first_of(".,") != std::string::npos) numbers.push_back(number);
    }
  }
  return numbers;
}

/// The lines of a shell that follow line `line`, or those before it.
std::string commands_near(std::vector<CodeBlock> blocks, std::size_t line, bool is_below) {
  if (!is_below) std::ranges::reverse(blocks);
  for (const CodeBlock& block : blocks) {
    const bool is_there = is_below ? block.line > line : block.line < line;
    if (is_there && (block.is_indented || block.language == "sh")) return block.text;
  }
  return "";
}

/// The rows of the table that begins in the first of `lines` from `at` on that is no comment.
std::vector<Words> rows_below(const Words& lines, std::size_t at) {
  while (at < lines.size() && !comment_in(lines[at]).empty()) ++at;
  std::vector<Words> rows;
  for (; at < lines.size() && lines[at].starts_with("|"); ++at)
    rows.push_back(split(lines[at], '|'));
  return rows;
}

std::vector<PrintedTable> printed_tables(const std::string& page) {
  std::vector<PrintedTable> tables;
  const Words lines = split(page, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string comment = comment_in(lines[i]);
    const std::size_t colon = comment.find(": ");
    const std::size_t bar = comment.find(" | ");
    const std::string kind = comment.substr(0, colon);
    if ((kind != "printed" && kind != "printed slowly") || bar == std::string::npos) continue;
    PrintedTable table{.line = i + 1, .is_slow = kind != "printed"};
    table.commands = comment.substr(bar + 3);
    if (const bool is_below = table.commands == "below"; is_below || table.commands == "above") {
      table.commands = commands_near(code_blocks(page), i + 1, is_below);
    }
    const std::vector<Words> rows = rows_below(lines, i + 1);
    const Words columns = split(comment.substr(colon + 2, bar - colon - 2), ';');
    if (!rows.empty()) table.numbers = numbers_in(rows, columns);
    if (columns == Words{"prose"}) table.numbers = numbers_of_prose(lines, i + 1);
    tables.push_back(std::move(table));
  }
  return tables;
}

/// Those of `wanted` that are not in `printed`, in which they have to be in this order.
Words missing(const Words& wanted, const Words& printed) {
  Words gone;
  auto at = printed.begin();
  for (const std::string& number : wanted) {
    const auto found = std::find(at, printed.end(), number);
    if (found == printed.end()) {
      gone.push_back(number);
    } else {
      at = found + 1;
    }
  }
  return gone;
}

TEST(PrintedTables, NameColumnsAndACommand) {
  EXPECT_THAT(numbers_of("a 1,234.5 k, 6. 7"), ElementsAre("1,234.5", "6", "7"));
  const auto tables = printed_tables(
      "<!-- printed: b; c | one --two -->\n| a | b | c |\n|---|--:|---|\n| 1 | 2 | 3 k, 4 |\n"
      "| 5 | none | 6 |\n\n<!-- printed: a | below -->\n<!-- printed slowly: a | four -->\n| a |\n"
      "|---|\n| 7 |\n\n    three\n");
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].commands, "one --two");
  EXPECT_THAT(tables[0].numbers, ElementsAre("2", "3", "4", "6"));
  EXPECT_EQ(tables[1].commands, "three\n");
  EXPECT_THAT(tables[1].numbers, ElementsAre("7"));
  EXPECT_FALSE(tables[1].is_slow);
  EXPECT_THAT(tables[2].numbers, ElementsAre("7"));
  EXPECT_TRUE(tables[2].is_slow);
  const auto prose = printed_tables(
      "```sh\nfour\n```\n\n<!-- printed: prose | above -->\nOf 8 `a`, 1.5,\n2,048 are. 7\n\n9.5\n");
  ASSERT_EQ(prose.size(), 1U);
  EXPECT_EQ(prose[0].commands, "four\n");
  EXPECT_THAT(prose[0].numbers, ElementsAre("1.5", "2,048"));
  EXPECT_THAT(missing({"2", "6"}, numbers_of("1 2 3 k, 4 6")), IsEmpty());
  EXPECT_THAT(missing({"6", "2", "5"}, numbers_of("1 2 3 k, 4 6")), ElementsAre("2", "5"));
}

/// Looks at all tables of that kind on all pages; how many there are.
std::size_t compare_tables(bool is_slow) {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  std::map<std::string, Words> printed;  // by commands
  const TemporaryFolder folder;
  for (const char* const room : {"datasets", "docs", "scenarios", "scripts"}) {
    fs::create_directory_symlink(root / room, folder / room);
  }
  std::size_t count = 0;
  for (const fs::path& page : pages_of(root)) {
    for (const PrintedTable& table : printed_tables(read_text(page))) {
      if (table.is_slow != is_slow) continue;
      SCOPED_TRACE(fs::relative(page, root).string() + ":" + std::to_string(table.line));
      EXPECT_FALSE(table.numbers.empty());
      const auto [known, is_new] = printed.try_emplace(table.commands);
      if (is_new) {
        const Ending ending = run_script("set -e\n" + table.commands, folder.path());
        EXPECT_EQ(ending.exit_code, 0) << table.commands << ending.err;
        known->second = numbers_of(ending.out);
      }
      EXPECT_THAT(missing(table.numbers, known->second), IsEmpty()) << table.commands;
      ++count;
    }
  }
  return count;
}

TEST(PrintedTables, HaveTheNumbersOfTheirCommands) { EXPECT_GE(compare_tables(false), 6U); }

// A minute and more; scripts/test.sh --full docs asks for it.
TEST(PrintedTables, HaveTheNumbersOfSlowCommands) {
  if (std::getenv("CUBICBENCH_SLOW_TABLES") == nullptr) {
    GTEST_SKIP() << "CUBICBENCH_SLOW_TABLES is unset";
  }
  EXPECT_GE(compare_tables(true), 3U);
}

}  // namespace
}  // namespace cubicbench::integration
