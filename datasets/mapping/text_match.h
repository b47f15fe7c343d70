#pragma once

#include <algorithm>
#include <cstddef>
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

constexpr bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (lower_case(c) >= 'a' && lower_case(c) <= 'z');
}

/// The same, with neither letter nor digit beside `part`.
inline bool contains_word(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
  for (auto from = text.begin();; ++from) {
    from = std::search(from, text.end(), part.begin(), part.end(), same);
    if (from == text.end()) return false;
    const auto end = from + static_cast<std::ptrdiff_t>(part.size());
    const bool begins = from == text.begin() || !is_alphanumeric(*(from - 1));
    if (begins && (end == text.end() || !is_alphanumeric(*end))) return true;
  }
}

/// The first rule whose `contains` is in `text`, or null.
template <class Rule>
const Rule* first_contained(const std::vector<Rule>& rules, std::string_view text) {
  const auto found = std::ranges::find_if(
      rules, [&](const Rule& rule) { return contains_any_case(text, rule.contains); });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace cubicbench::datasets
