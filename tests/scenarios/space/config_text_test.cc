#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {
namespace {

/// One parameter of that setting, with every code of a small range and some of a large one.
SearchSpace space_of(const Setting& setting) {
  constexpr std::int64_t codes_max = 1000;
  SpaceRules rules;
  rules.parameters.push_back({.setting = &setting, .values = {}, .when = {}});
  const std::int64_t step = std::max<std::int64_t>(1, (setting.max - setting.min) / codes_max);
  for (std::int64_t code = setting.min; code <= setting.max; code += step) {
    rules.parameters.back().values.push_back(code);
  }
  return {std::move(rules), SpaceDiagram{}};
}

// Journals are written from it, and read back and compared as JSON.
TEST(ConfigText, IsTheJsonOfEveryValueOfEverySetting) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name);
    const SearchSpace space = space_of(setting);
    const auto& values = space.parameters().front().values;
    ASSERT_FALSE(values.empty());
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
      const ConfigText text = config_text(space, {i});
      ASSERT_EQ(text.size(), 1U);
      EXPECT_EQ(text.front().first, setting.name);
      EXPECT_EQ(text.front().second, json_of(setting, values[static_cast<std::size_t>(i)]).dump());
    }
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
