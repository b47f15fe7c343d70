// Reads the pages that people read: links lead somewhere, and no page repeats another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/code_blocks.h"

namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string without_code(const std::string& page) {
  std::string prose;
  bool is_block = false;
  bool is_inline = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_block = !is_block;
    if (is_block || line.starts_with("```")) continue;
    for (const char c : line + "\n") {
      if (c == '`') is_inline = !is_inline;
      if (!is_inline) prose += c;
    }
  }
  return prose;
}

/// Where links and pictures of a page lead, as they are written.
std::vector<std::string> links_of(const std::string& page) {
  static const std::regex link("\\]\\(([^) ]+)\\)");
  const std::string prose = without_code(page);
  std::vector<std::string> links;
  for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at) {
    links.push_back((*at)[1]);
  }
  return links;
}

/// The names of a page's headings in links, as GitHub makes them.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  bool is_code = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t text = line.find_first_not_of('#');
    if (is_code || text == 0 || text == std::string::npos || line[text] != ' ') continue;
    std::string name;
    for (const char c : line.substr(text + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) {
        name += static_cast<char>(std::tolower(byte));
      } else if (c == ' ') {
        name += '-';
      }
    }
    anchors.insert(name);
  }
  return anchors;
}

/// Those links of a page that lead nowhere. Links to other sites are not followed.
std::vector<std::string> dead_links(const fs::path& page) {
  std::vector<std::string> dead;
  for (const std::string& link : links_of(text_of(page))) {
    if (link.find("://") != std::string::npos || link.starts_with("mailto:")) continue;
    const std::size_t hash = std::min(link.find('#'), link.size());
    const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
    const bool lives =
        fs::exists(target) &&
        (hash == link.size() || anchors_of(text_of(target)).contains(link.substr(hash + 1)));
    if (!lives) dead.push_back(link);
  }
  return dead;
}

/// A paragraph or an item of a list: its words in small letters, each with a space behind it.
struct Passage {
  std::size_t line = 0;
  std::string words{};
};

/// Finds the prose of a page: no code, no text that a script copies from elsewhere, no legend
/// below a table or a picture.
class PassageReader {
 public:
  void read(const std::string& line) {
    ++number_;
    const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (text.starts_with("```")) is_code_ = !is_code_;
    const std::string comment = cubicbench::comment_in(line);
    if (comment.starts_with("begin: ") || comment.starts_with("quote: ")) is_copied_ = true;
    if (comment == "end") is_copied_ = false;
    const bool is_figure = text.starts_with("|") || text.starts_with("![");
    const bool is_prose = !is_code_ && !is_copied_ && !is_figure && comment.empty() &&
                          !text.starts_with("#") && !text.starts_with("```");
    if (is_figure) is_legend_ = true;
    if (text.empty() || !is_prose || begins_item(text)) is_open_ = false;
    if (text.empty() || !is_prose) return;
    if (!is_open_) begin();
    if (!is_passed_) add(text);
  }

  std::vector<Passage> passages;

 private:
  static bool begins_item(const std::string& text) {
    static const std::regex item("(?:[-*>]|[0-9]+\\.) .*");
    return std::regex_match(text, item);
  }

  void begin() {
    is_open_ = true;
    is_passed_ = is_legend_;
    is_legend_ = false;
    if (!is_passed_) passages.push_back({.line = number_});
  }

  void add(const std::string& text) {
    std::string& words = passages.back().words;
    for (const char c : text + " ") {
      const auto byte = static_cast<unsigned char>(c);
      const bool is_word = std::isalnum(byte) || c == '_' || c == '%' || byte >= 0x80;
      if (is_word) words += static_cast<char>(std::tolower(byte));
      if (!is_word && !words.empty() && words.back() != ' ') words += ' ';
    }
  }

  std::size_t number_ = 0;
  bool is_code_ = false;
  bool is_copied_ = false;
  bool is_legend_ = false;  ///< the next passage belongs to a table or a picture
  bool is_passed_ = false;  ///< this one does
  bool is_open_ = false;
};

std::vector<Passage> passages_of(const std::string& page) {
  PassageReader reader;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.passages;
}

/// So many words in a row on two pages are the same sentence; fewer may be the same name or number.
constexpr std::size_t words_in_a_row = 30;

/// Runs of `words_in_a_row` words of a passage.
std::vector<std::string_view> runs_of(const Passage& passage) {
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < passage.words.size(); at = passage.words.find(' ', at) + 1) {
    begins.push_back(at);
  }
  begins.push_back(passage.words.size());
  std::vector<std::string_view> runs;
  for (std::size_t i = 0; i + words_in_a_row < begins.size(); ++i) {
    runs.push_back(
        std::string_view(passage.words).substr(begins[i], begins[i + words_in_a_row] - begins[i]));
  }
  return runs;
}

/// What a page has in common with one before it, once for each passage.
std::vector<std::string> repeated(const std::map<std::string, std::vector<Passage>>& pages) {
  std::unordered_map<std::string_view, std::string> first;  // the place of a run
  std::vector<std::string> problems;
  for (const auto& [name, passages] : pages) {
    for (const Passage& passage : passages) {
      bool is_told = false;
      for (const std::string_view run : runs_of(passage)) {
        const auto [known, is_new] = first.emplace(run, name + ":" + std::to_string(passage.line));
        if (is_new || is_told || known->second.starts_with(name + ":")) continue;
        is_told = true;
        problems.push_back(name + ":" + std::to_string(passage.line) + " repeats " + known->second +
                           ": " + std::string(run));
      }
    }
  }
  return problems;
}

TEST(Pages, HaveLinksAndAnchors) {
  const std::string page =
      "# One `two`, three!\n[a](b.md) ![c](d.svg)\n```\n[e](f)\n# no\n```\n`[g](h)` [i](#one)";
  EXPECT_THAT(links_of(page), ElementsAre("b.md", "d.svg", "#one"));
  EXPECT_THAT(anchors_of(page), ElementsAre("one-two-three"));
}

TEST(Pages, LinksLeadSomewhere) {
  const std::vector<fs::path> all = cubicbench::pages_of(CUBICBENCH_SOURCE_DIR);
  ASSERT_THAT(all, Contains(fs::path(CUBICBENCH_SOURCE_DIR) / "README.md"));
  for (const fs::path& page : all) EXPECT_THAT(dead_links(page), IsEmpty()) << page;
}

TEST(Pages, HavePassagesOfProse) {
  const auto passages = passages_of(
      "# A heading\n\nOne `two`,\nthree.\n\n- Four\n- five\n\n| six |\n\nColumns: seven.\n\n"
      "Eight.\n```\nnine\n```\n<!-- quote: ten -->\neleven\n<!-- end -->\n![twelve](a.svg)\n");
  std::vector<std::string> words;
  for (const Passage& passage : passages) words.push_back(passage.words);
  EXPECT_THAT(words, ElementsAre("one two three ", "four ", "five ", "eight "));
  EXPECT_EQ(passages[0].line, 3U);
}

TEST(Pages, ThatRepeatEachOtherAreFound) {
  std::string sentence;
  for (std::size_t i = 0; i < words_in_a_row; ++i) sentence += "word" + std::to_string(i) + " ";
  const auto pages = [&](const std::string& one, const std::string& other) {
    return std::map<std::string, std::vector<Passage>>{{"a.md", passages_of(one)},
                                                       {"b.md", passages_of(other)}};
  };
  EXPECT_THAT(repeated(pages(sentence, "More.\n\nBefore it: " + sentence + "and after.\n")),
              ElementsAre(testing::StartsWith("b.md:3 repeats a.md:1: word0 word1 ")));
  EXPECT_THAT(repeated(pages(sentence + "\n\n" + sentence, "Another.")), IsEmpty());
  EXPECT_THAT(repeated(pages(sentence, sentence.substr(6))), IsEmpty());
}

TEST(Pages, RepeatNoParagraphOfAnother) {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  std::map<std::string, std::vector<Passage>> pages;
  for (const fs::path& page : cubicbench::pages_of(root)) {
    pages[fs::relative(page, root).string()] = passages_of(text_of(page));
  }
  ASSERT_GT(pages.size(), 60U);
  EXPECT_THAT(repeated(pages), IsEmpty());
}

}  // namespace
