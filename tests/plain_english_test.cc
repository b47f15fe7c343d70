// Holds the pages that people read to plain English: eight habits that make a sentence read as if
// it had been translated. Each is tried on a bad and a good sentence before it meets the pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

struct Habit {
  const char* advice;
  std::regex pattern;
  const char* bad;
  const char* good;
};

std::regex any_case(const char* pattern) {
  return std::regex(pattern, std::regex::ECMAScript | std::regex::icase | std::regex::optimize);
}

std::regex exact(const char* pattern) {
  return std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
}

const std::vector<Habit>& habits() {
  static const std::vector<Habit> all{
      {"write \"per\"",
       any_case(
           "\\b(?:launches|lines?|rows?|journals?|files?|seeds?|curves?|bytes|jobs?) an? "
           "(?:launch|study|searcher|scenario|seed|trial|stage|rank|GPU|layer|kind|problem|step|"
           "device|node|configuration|core|round|table|cluster)\\b"),
       "The folder has a journal a study.", "The folder has one journal per study."},
      {"name the subject instead of \"what ...\" or \"who ...\"",
       exact(
           "^(?:What|Who) "
           "(?!(?:is|are|was|were|does|do|did|can|could|would|should|if|will|has|have)"
           "\\b)[^?]*\\b(?:is|are|was|were|has|have|had|can|may|must|depends|counts)\\b[^?]*\\.$"),
       "What follows the last newline was torn off.", "What does a launch cost?"},
      {"say \"reported\" or \"predicted\", not \"is said\"",
       any_case("\\b(?:is|are|was|were) said\\b"), "The limit is said in the message.",
       "The message reports the limit."},
      {"say \"exists\" or \"available\", not \"is there\"",
       any_case("\\b(?:that|which|what|who|where) (?:is|are|was|were) there\\b|\\b(?:is|are) "
                "there[,.;]"),
       "The lines that are there stay.", "There are four lines."},
      {"put the noun first, not \"Of ...\"", exact("^Of (?:an?|every|each|such|which)\\b"),
       "Of a table each entry counts.", "Each entry of a table counts."},
      {"say \"equals\", \"continues\", \"is\" or \"uses\"",
       any_case(
           "\\b(?:comes to (?:[0-9a]|the (?:same|next))|stands(?! for)|goes on|go on|falls to)\\b"),
       "The search goes on.", "The search continues."},
      {"say \"except for\"", any_case("\\bbut for\\b"), "All but for one end.",
       "All except for one end."},
      {"use the passive or \"you\"", any_case("\\b(?:nobody|somebody|whoever|whomever)\\b"),
       "Nobody reads the truth.", "The truth is not read."}};
  return all;
}

/// The prose of a page of Markdown, a sentence each: no code, no tables, no comments.
std::vector<std::string> sentences_of(const std::string& page) {
  std::string prose;
  bool is_code = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const std::string text = line.substr(std::min(line.find_first_not_of(" >*-"), line.size()));
    const bool begins_item = text.size() != line.size() && line.find_first_of("*-") < line.size();
    if (text.starts_with("```")) is_code = !is_code;
    const bool ends = is_code || text.empty() || text.starts_with("```") || text.starts_with("|") ||
                      text.starts_with("#") || text.starts_with("<!--") || begins_item;
    prose += ends ? "\n" : " ";
    if (!is_code && !text.starts_with("|") && !text.starts_with("```") &&
        !text.starts_with("<!--")) {
      prose += text;
    }
  }
  static const std::regex code("`[^`]*`");
  static const std::regex between("\n+|([.?!:;]) +");
  prose = std::regex_replace(std::regex_replace(prose, code, "X"), between, "$1\n");
  std::vector<std::string> sentences;
  std::istringstream parts(prose);
  for (std::string part; std::getline(parts, part);) {
    part.erase(0, part.find_first_not_of(' '));
    if (!part.empty()) sentences.push_back(part);
  }
  return sentences;
}

/// What reads as translated in a page: the advice, and the sentence.
std::vector<std::string> riddles_in(const std::string& page) {
  std::vector<std::string> riddles;
  for (const std::string& sentence : sentences_of(page)) {
    for (const Habit& habit : habits()) {
      if (!std::regex_search(sentence, habit.pattern)) continue;
      riddles.push_back(std::string(habit.advice) + ": " + sentence);
    }
  }
  return riddles;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PlainEnglish, KnowsEachHabit) {
  for (const Habit& habit : habits()) {
    EXPECT_THAT(riddles_in(habit.bad), ElementsAre(std::string(habit.advice) + ": " + habit.bad));
    EXPECT_THAT(riddles_in(habit.good), IsEmpty());
  }
}

TEST(PlainEnglish, ReadsProseAlone) {
  EXPECT_THAT(
      sentences_of("# Of a table\n\nOne `goes on` two. Three\nfour\n\n```\ncode. code\n```\n"
                   "| nobody | x |\n- five\n- six\n"),
      ElementsAre("# Of a table", "One X two.", "Three four", "five", "six"));
}

TEST(PlainEnglish, IsWhatPagesAreWrittenIn) {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  std::vector<fs::path> pages{root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  ASSERT_GT(pages.size(), 40U);
  for (const fs::path& page : pages) {
    EXPECT_THAT(riddles_in(text_of(page)), IsEmpty()) << fs::relative(page, root);
  }
}

}  // namespace
