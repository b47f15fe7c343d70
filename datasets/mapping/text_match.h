#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Does `text` contain `part`, upper and lower case of ASCII letters being alike?
inline bool contains_any_case(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() ||
         part.empty();
}

/// The first rule whose `contains` is in `text`, or null.
template <class Rule>
const Rule* first_contained(const std::vector<Rule>& rules, std::string_view text) {
  const auto found = std::ranges::find_if(
      rules, [&](const Rule& rule) { return contains_any_case(text, rule.contains); });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace cubicbench::datasets
