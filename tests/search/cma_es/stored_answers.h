#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cubicbench::search {

/// A word and the rest of its line, which is words or numbers.
struct StoredLine {
  std::string name;
  std::string rest;

  std::vector<double> numbers() const {
    std::istringstream stream(rest);
    std::vector<double> all;
    for (double number = 0.0; stream >> number;) all.push_back(number);
    return all;
  }
};

/// The lines of tests/search/cma_es/FILE that begin with a word; scripts/cma_es_cases.py wrote it.
class StoredAnswers {
 public:
  explicit StoredAnswers(const std::string& file) {
    std::ifstream in(CUBICBENCH_SOURCE_DIR "/tests/search/cma_es/" + file);
    EXPECT_TRUE(in) << file;
    for (std::string line; std::getline(in, line);) {
      const std::size_t space = line.find(' ');
      lines_.push_back({.name = line.substr(0, space), .rest = line.substr(space + 1)});
    }
  }

  std::vector<StoredLine> lines(const std::string& name) const {
    std::vector<StoredLine> found;
    for (const StoredLine& line : lines_) {
      if (line.name == name) found.push_back(line);
    }
    return found;
  }

  std::vector<double> numbers(const std::string& name) const {
    const std::vector<StoredLine> found = lines(name);
    EXPECT_EQ(found.size(), 1U) << name;
    return found.empty() ? std::vector<double>{} : found.front().numbers();
  }

 private:
  std::vector<StoredLine> lines_;
};

}  // namespace cubicbench::search
