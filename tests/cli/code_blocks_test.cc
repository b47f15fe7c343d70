// Every block of code on every page is held by a test, and which one follows from the block itself:
//
//   no language         commands behind "$ " with what they print: ShownCommands runs and compares
//   them sh                  lines of a shell: read here, and run by HowTo on pages of docs/how-to
//   yaml                a build machine's file: the same with its lines that run the program
//   usage               a command line with placeholders: its options are the program's
//   json                one document, members of one, or a document per line; a comment names its
//                       schema, which tests/schemas holds it to
//   python              compiles; python/tests/test_docs.py runs those of docs/how-to
//   any other           a comment in the line above names the file that has its lines, "from:
//   FILE",
//                       or the test that holds it, "test: Suite.Case"
//   indented            lines of a shell, or on a page that is made of a text below
//   results/*/texts,
//                       which the room's tests compare with that text
//   between markers     written by scripts/reference.py, and compared by its --check
#include "tests/code_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options/parser.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;

const fs::path& repository() {
  static const fs::path path = CUBICBENCH_SOURCE_DIR;
  return path;
}

// ---- lines of a shell --------------------------------------------------------------------------

/// A shell that knows no program and writes down the words of each `cubicbench`, also where another
/// program, such as `time`, would start it.
constexpr const char* recording =
    "exec 3>record </dev/null >/dev/null 2>&1\n"
    "cubicbench() { printf '%s\\x1f' \"$@\" >&3; printf '\\x1e' >&3; }\n"
    "command_not_found_handle() {\n"
    "  case $1 in -* | env | nice | nohup | time) ;; *) return ;; esac\n"
    "  while [[ $# -gt 0 && $1 != cubicbench ]]; do shift; done\n"
    "  [[ $# -eq 0 ]] || \"$@\"\n"
    "}\n"
    "PATH=/nowhere\n";

Words split(const std::string& text, char end) {
  Words parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, end);) parts.push_back(part);
  return parts;
}

/// The words behind `cubicbench` of each command line that a shell finds in `script`, which it runs
/// without any program. Nothing where it is no script.
std::vector<Words> command_lines(const std::string& script) {
  const TemporaryFolder folder;
  write_text(folder / "script", recording + script);
  const std::string in_folder = "cd '" + folder.path().string() + "' && ";
  if (std::system((in_folder + "bash -n script 2>/dev/null").c_str()) != 0) {
    ADD_FAILURE() << "no script of a shell:\n" << script;
    return {};
  }
  std::ignore = std::system((in_folder + "env -i timeout 10 bash script 3>&-").c_str());
  std::vector<Words> lines;
  for (const std::string& line : split(read_text(folder / "record"), '\x1e')) {
    lines.push_back(split(line, '\x1f'));
  }
  return lines;
}

/// Those lines of a message that say something of the command line, not of the disk.
std::string said_of_words(const std::string& message) {
  std::string said;
  for (const std::string& line : split(message, '\n')) {
    if (!line.ends_with(", got none")) said += line + "\n";
  }
  return said;
}

/// What the program says against a command line before it runs; "" where it accepts it. Files that
/// a command before it would have made are missing.
std::string refusal(const Words& words) {
  std::vector<Command> commands = all_commands();
  try {
    parse({.name = "cubicbench", .description = "", .footer = "", .welcome = "", .version = ""},
          commands, words);
  } catch (const support::InputError& error) {
    return said_of_words(error.what());
  } catch (const support::OutputError&) {
    return "";  // all words are right
  }
  return "";
}

/// Paths of the repository that a script names; those it writes have no name of ours.
Words named_paths(const std::string& script) {
  static const std::regex path(
      "(^|[\\s\"':=])((?:scripts|docs|examples|python|clients|tests|scenarios|datasets|schemas|"
      "results)"
      "/[\\w./-]*[\\w-])");
  Words found;
  for (std::sregex_iterator at(script.begin(), script.end(), path), end; at != end; ++at) {
    found.push_back((*at)[2]);
  }
  return found;
}

/// Whether a line of `script` begins with `path`.
bool is_started(const std::string& path, const std::string& script) {
  const std::string lines = "\n" + script;
  const std::size_t at = lines.find("\n" + path);
  return at != std::string::npos &&
         std::isspace(static_cast<unsigned char>(lines[at + 1 + path.size()])) != 0;
}

bool is_executable(const fs::path& path) {
  return (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// What is wrong with lines of a shell.
Words problems_of_script(const std::string& script) {
  Words problems;
  for (const Words& words : command_lines(script)) {
    const std::string problem = refusal(words);
    if (!problem.empty()) problems.push_back(problem);
  }
  for (const std::string& path : named_paths(script)) {
    if (!fs::exists(repository() / path)) {
      problems.push_back(path + ": does not exist");
    } else if (is_started(path, script) && !is_executable(repository() / path)) {
      problems.push_back(path + ": cannot be executed");
    }
  }
  return problems;
}

// ---- command lines with placeholders ------------------------------------------------------------

/// Options of a command line that its command does not have.
Words unknown_options(const std::string& line) {
  static const std::regex option("--[a-z][a-z-]*");
  std::istringstream words(line);
  std::string program;
  std::string name;
  words >> program >> name;
  if (name.starts_with("--")) return {};
  if (name == "COMMAND" || name == "help") return {};  // any of them
  for (const Command& command : all_commands()) {
    if (command.words.name != name) continue;
    std::set<std::string> known{"--help"};
    for (const Option& one : command.options.all()) known.insert(one.name);
    Words unknown;
    for (std::sregex_iterator at(line.begin(), line.end(), option), end; at != end; ++at) {
      if (!known.contains(at->str())) unknown.push_back(name + ": has no " + at->str());
    }
    return unknown;
  }
  return {name + ": no such command"};
}

Words problems_of_usage(const std::string& text) {
  Words problems;
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with("cubicbench ")) problems.push_back("no command line: " + line);
    const Words unknown = unknown_options(line);
    problems.insert(problems.end(), unknown.begin(), unknown.end());
  }
  return problems;
}

// ---- other languages ----------------------------------------------------------------------------

Words problems_of_yaml(const std::string& text) {
  const std::string commands = commands_of_yaml(text);
  return commands.empty() ? Words{"runs no command"} : problems_of_script(commands);
}

/// What is wrong with the command lines that a document has as {"command": ..., "args": [...]}.
Words problems_of_started(const nlohmann::json& document) {
  Words problems;
  if (document.is_object() && document.value("command", nlohmann::json()) == "cubicbench") {
    problems.push_back(refusal(document.at("args").get<Words>()));
  }
  for (const nlohmann::json& below : document) {
    if (!below.is_structured()) continue;
    const Words more = problems_of_started(below);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  std::erase(problems, "");
  return problems;
}

Words problems_of_json(const std::string& text) {
  const auto accepts = [](const std::string& one) { return nlohmann::json::accept(one); };
  if (accepts(text)) return problems_of_started(nlohmann::json::parse(text));
  const bool is_part = accepts("{" + text + "}");
  return is_part || std::ranges::all_of(split(text, '\n'), accepts) ? Words() : Words{"no JSON"};
}

Words problems_of_python(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "block.py", text);
  const std::string path = (folder / "block.py").string();
  const std::string line = "python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' '" +
                           path + "' 2>/dev/null";
  return std::system(line.c_str()) == 0 ? Words() : Words{"no Python"};
}

/// Lines of a block that `file` does not have; how far they are indented does not count.
Words lines_not_in(const std::string& file, const std::string& text) {
  const auto trimmed = [](const std::string& line) {
    return line.substr(std::min(line.find_first_not_of(' '), line.size()));
  };
  std::set<std::string> known;
  for (const std::string& line : split(read_text(repository() / file), '\n')) {
    known.insert(trimmed(line));
  }
  Words problems;
  for (const std::string& line : split(text, '\n')) {
    if (!known.contains(trimmed(line))) problems.push_back("not in " + file + ": " + line);
  }
  return problems;
}

/// Tests in C++ as Suite.Case, those in Python by the name of their function.
const std::set<std::string>& all_tests() {
  static const std::set<std::string> names = [] {
    static const std::regex cpp("TEST(?:_F|_P)?\\((\\w+),\\s*(\\w+)\\)");
    static const std::regex python("def (test_\\w+)\\(");
    std::set<std::string> found;
    for (const char* const folder : {"tests", "python/tests"}) {
      for (const auto& entry : fs::recursive_directory_iterator(repository() / folder)) {
        const std::string ending = entry.path().extension().string();
        if (ending != ".cc" && ending != ".py") continue;
        const std::string text = read_text(entry.path());
        const std::regex& form = ending == ".cc" ? cpp : python;
        for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at) {
          found.insert(ending == ".cc" ? (*at)[1].str() + "." + (*at)[2].str() : (*at)[1].str());
        }
      }
    }
    return found;
  }();
  return names;
}

bool is_test(const std::string& name) {
  return all_tests().contains(name) ||
         (name.starts_with("tests/") && fs::exists(repository() / name));
}

/// What is wrong with the comment in the line above a block.
Words problems_of_note(const CodeBlock& block) {
  const std::size_t colon = std::min(block.note.find(": "), block.note.size());
  const std::string kind = block.note.substr(0, colon);
  const std::string said = block.note.substr(std::min(colon + 2, block.note.size()));
  if (kind == "from") return lines_not_in(said, block.text);
  if (kind == "test") return is_test(said) ? Words() : Words{"no such test: " + said};
  if (kind == "not run") return said.empty() ? Words{"not run, and why?"} : Words();
  if (kind == "schema" && fs::exists(repository() / "schemas" / (said + ".schema.json"))) return {};
  return {"no comment of ours: " + block.note};
}

// ---- pages --------------------------------------------------------------------------------------

/// docs/ROOM/NAME.md of results/ROOM/texts/NAME.md.
bool is_made_of_a_text(const fs::path& page) {
  const fs::path room = fs::relative(page.parent_path(), repository() / "docs");
  return fs::exists(repository() / "results" / room / "texts" / page.filename());
}

/// Blocks with a comment are left to another test.
bool is_run_by_how_to(const CodeBlock& block, const fs::path& page) {
  const bool is_commands = block.language == "sh" || block.language == "yaml";
  return is_commands && block.note.empty() && page.parent_path() == repository() / "docs/how-to";
}

Words problems_of_block(const CodeBlock& block, const fs::path& page) {
  if (block.is_generated) {
    const bool is_reference = page.parent_path() == repository() / "docs/reference";
    return is_reference ? Words() : Words{"no page that scripts/reference.py writes"};
  }
  if (block.is_indented) return is_made_of_a_text(page) ? Words() : problems_of_script(block.text);
  if (block.language.empty()) {
    return block.text.starts_with("$ ") ? Words() : Words{"has neither a language nor a command"};
  }
  if (is_run_by_how_to(block, page)) return {};
  if (block.language == "sh") return problems_of_script(block.text);
  if (block.language == "yaml") return problems_of_yaml(block.text);
  if (block.language == "usage") return problems_of_usage(block.text);
  if (block.language == "json") return problems_of_json(block.text);
  if (block.language == "python") return problems_of_python(block.text);
  const bool is_held = block.note.starts_with("test: ") || block.note.starts_with("from: ");
  return is_held ? Words() : Words{"no test holds this block: " + block.language};
}

Words problems_of_page_block(const CodeBlock& block, const fs::path& page) {
  const bool is_noted = !block.note.empty() && !block.is_generated;
  const Words problems = is_noted ? problems_of_note(block) : Words();
  return problems.empty() ? problems_of_block(block, page) : problems;
}

/// Command lines between the backquotes of prose.
Words lines_in_prose(const std::string& page) {
  static const std::regex code("`(cubicbench [a-z][^`]*)`");
  Words lines;
  bool is_code = false;
  for (const std::string& line : split(page, '\n')) {
    if (line.find_first_not_of(' ') == line.find("```")) is_code = !is_code;
    if (is_code) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at) {
      lines.push_back((*at)[1]);
    }
  }
  return lines;
}

TEST(CodeBlocks, AreFencedOrIndented) {
  const auto blocks = code_blocks(
      "text\n\n    one\n\n      two\ntext\n    no code\n\n<!-- test: A.B -->\n```sh\nthree\n```\n"
      "1. item\n   ```\n   $ four\n   ```\n<!-- begin: run -->\n```\nfive\n```\n<!-- end -->\n");
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[0].text, "one\n\n  two\n");
  EXPECT_TRUE(blocks[0].is_indented);
  EXPECT_EQ(blocks[0].line, 3U);
  EXPECT_EQ(blocks[1].language, "sh");
  EXPECT_EQ(blocks[1].note, "test: A.B");
  EXPECT_EQ(blocks[2].text, "$ four\n");
  EXPECT_FALSE(blocks[2].is_generated);
  EXPECT_TRUE(blocks[3].is_generated);
}

TEST(CodeBlocks, OfAShellAreReadAsItReadsThem) {
  const auto lines = command_lines(
      "for n in 1 2; do cubicbench simulate tiny-llama \\\n  --set \"micro_batch=$n\"; done  # "
      "says\n"
      "other 'cubicbench no'; time -v cubicbench list | head -n 1 >out.txt\n");
  EXPECT_THAT(lines, ElementsAre(ElementsAre("simulate", "tiny-llama", "--set", "micro_batch=1"),
                                 ElementsAre("simulate", "tiny-llama", "--set", "micro_batch=2"),
                                 ElementsAre("list")));
  EXPECT_THAT(problems_of_script("cubicbench simulate tiny-llama --set micro_batch=1\n"),
              IsEmpty());
  EXPECT_THAT(problems_of_script("cubicbench search tiny-llama --trails 3\n"),
              ElementsAre(HasSubstr("--trails: unknown option")));
  EXPECT_THAT(problems_of_script("scripts/test.sh && scripts/no_such.sh docs/README.md\n"),
              ElementsAre("scripts/no_such.sh: does not exist"));
  EXPECT_THAT(
      problems_of_script("docs/README.md\ncat docs/README.md\n"),
      ElementsAre("docs/README.md: cannot be executed", "docs/README.md: cannot be executed"));
}

TEST(CodeBlocks, WithoutATestAreFound) {
  const fs::path page = repository() / "docs/README.md";
  struct Case {
    const char* language;
    const char* note;
    const char* text;
    bool is_held;
  };
  for (const Case& c : {
           Case{"", "", "$ cubicbench list\n", true},
           Case{"", "", "cubicbench list\n", false},
           Case{"usage", "", "cubicbench sweep SCENARIO [--set NAME=VALUE]...\n", true},
           Case{"usage", "", "cubicbench sweep SCENARIO [--sets NAME=VALUE]...\n", false},
           Case{"json", "", "\"a\": 1, \"b\": []\n", true},
           Case{"json", "", "{\"a\": 1}\n{\"b\": 2}\n", true},
           Case{"json", "", "{\"a\": ...}\n", false},
           Case{"json", "", "{\"command\": \"cubicbench\", \"args\": [\"list\"]}\n", true},
           Case{"json", "", "[{\"command\": \"cubicbench\", \"args\": [\"lists\"]}]\n", false},
           Case{"json", "schema: sweep", "{}\n", true},
           Case{"json", "schema: none", "{}\n", false},
           Case{"sh", "not run: needs Slurm", "sbatch a\n", true},
           Case{"sh", "note", "sbatch a\n", false},
           Case{"python", "", "def f():\n  return 1\n", true},
           Case{"python", "", "def f() return 1\n", false},
           Case{"yaml", "", "script:\n  - cubicbench list\n", true},
           Case{"yaml", "", "script:\n  - cubicbench lists\n", false},
           Case{"yaml", "", "script:\n  - make\n", false},
           Case{"text", "", "output\n", false},
           Case{"text", "test: CodeBlocks.WithoutATestAreFound", "output\n", true},
           Case{"text", "test: CodeBlocks.None", "output\n", false},
           Case{"text", "from: LICENSE", "                                 Apache License\n", true},
           Case{"text", "from: LICENSE", "Another License\n", false},
       }) {
    const CodeBlock block{.language = c.language, .note = c.note, .text = c.text};
    EXPECT_EQ(problems_of_page_block(block, page).empty(), c.is_held) << c.language << "\n"
                                                                      << c.text;
  }
}

TEST(CodeBlocks, OfEveryPageAreHeldByATest) {
  std::size_t count = 0;
  for (const fs::path& page : pages_of(repository())) {
    for (const CodeBlock& block : code_blocks(read_text(page))) {
      EXPECT_THAT(problems_of_page_block(block, page), IsEmpty())
          << fs::relative(page, repository()).string() << ":" << block.line;
      ++count;
    }
  }
  EXPECT_GT(count, 200U);
}

TEST(CodeBlocks, AndCommandLinesInProseHaveOptionsOfTheProgram) {
  std::size_t count = 0;
  for (const fs::path& page : pages_of(repository())) {
    for (const std::string& line : lines_in_prose(read_text(page))) {
      EXPECT_THAT(unknown_options(line), IsEmpty())
          << fs::relative(page, repository()).string() << ": " << line;
      ++count;
    }
  }
  EXPECT_GT(count, 40U);
}

}  // namespace
}  // namespace cubicbench::cli
