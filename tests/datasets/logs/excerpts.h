#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/text_files.h"

namespace cubicbench::datasets {

/// One log of tests/datasets/logs/excerpts/, made after the published format, and what expected.tsv
/// says of it: `format`, `version` and columns of the measurement schema; a cell that is empty
/// there says nothing.
struct Excerpt {
  std::string file;
  std::string text;
  std::map<std::string, std::string> expected{};
};

inline std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == '\t') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// All of them, in the order of expected.tsv.
inline const std::vector<Excerpt>& excerpts() {
  static const std::vector<Excerpt> all = [] {
    const auto folder =
        std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "tests/datasets/logs/excerpts";
    std::istringstream lines(read_text(folder / "expected.tsv"));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> columns = tab_separated(line);
    std::vector<Excerpt> found;
    while (std::getline(lines, line)) {
      const std::vector<std::string> cells = tab_separated(line);
      Excerpt excerpt{.file = cells.front(), .text = read_text(folder / cells.front())};
      for (std::size_t i = 1; i < std::min(cells.size(), columns.size()); ++i) {
        if (!cells[i].empty()) excerpt.expected[columns[i]] = cells[i];
      }
      found.push_back(std::move(excerpt));
    }
    return found;
  }();
  return all;
}

}  // namespace cubicbench::datasets
