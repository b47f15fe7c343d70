// Reads the pages that people read: links lead somewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> pages() {
  const fs::path root = CUBICBENCH_SOURCE_DIR;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root)) found.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    found.push_back(entry.path());
  }
  std::erase_if(found, [](const fs::path& path) { return path.extension() != ".md"; });
  std::ranges::sort(found);
  return found;
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

TEST(Pages, HaveLinksAndAnchors) {
  const std::string page =
      "# One `two`, three!\n[a](b.md) ![c](d.svg)\n```\n[e](f)\n# no\n```\n`[g](h)` [i](#one)";
  EXPECT_THAT(links_of(page), ElementsAre("b.md", "d.svg", "#one"));
  EXPECT_THAT(anchors_of(page), ElementsAre("one-two-three"));
}

TEST(Pages, LinksLeadSomewhere) {
  const std::vector<fs::path> all = pages();
  ASSERT_THAT(all, Contains(fs::path(CUBICBENCH_SOURCE_DIR) / "README.md"));
  for (const fs::path& page : all) EXPECT_THAT(dead_links(page), IsEmpty()) << page;
}

}  // namespace
