#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cubicbench::support {

/// Three lists of numbers: what is compared, with what, and the answers.
struct StoredCase {
  std::vector<double> a, b, answers;
};

inline std::vector<double> numbers_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double number = 0.0; stream >> number;) numbers.push_back(number);
  return numbers;
}

/// The cases of tests/support/statistics/NAME, which a script of scripts/ wrote.
inline std::vector<StoredCase> stored_cases(const std::string& name) {
  std::ifstream in(std::string(CUBICBENCH_SOURCE_DIR) + "/tests/support/statistics/" + name);
  EXPECT_TRUE(in) << name;
  std::vector<StoredCase> cases;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('|');
    const std::size_t second = line.rfind('|');
    cases.push_back({numbers_of(line.substr(0, first)),
                     numbers_of(line.substr(first + 1, second - first - 1)),
                     numbers_of(line.substr(second + 1))});
  }
  return cases;
}

}  // namespace cubicbench::support
