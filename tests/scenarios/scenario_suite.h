#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace cubicbench::scenarios {

/// The name of a suite's scenario in the name of a test, which has letters, digits and '_' only.
inline std::string name_in_suite(const testing::TestParamInfo<std::string>& scenario) {
  std::string word = scenario.param;
  std::ranges::replace_if(
      word, [](char c) { return c == '-' || c == '.'; }, '_');
  return word;
}

}  // namespace cubicbench::scenarios
