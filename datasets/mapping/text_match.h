#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "support/characters.h"
#include "support/parsed.h"

namespace cubicbench::datasets {

/// The whole text as an integer; nothing otherwise.
inline std::optional<std::int64_t> count_of(std::string_view text) {
  return support::parsed<std::int64_t>(text);
}

inline bool same_letter(char a, char b) { return support::lowered(a) == support::lowered(b); }

/// Does `text` contain `part`, upper and lower case of ASCII letters being alike?
inline bool contains_any_case(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same_letter) !=
             text.end() ||
         part.empty();
}

constexpr bool is_alphanumeric(char c) { return support::is_digit(c) || support::is_letter(c); }

/// The same, with neither letter nor digit beside `part`.
inline bool contains_word(std::string_view text, std::string_view part) {
  for (auto from = text.begin();; ++from) {
    from = std::search(from, text.end(), part.begin(), part.end(), same_letter);
    if (from == text.end()) return false;
    const auto end = from + static_cast<std::ptrdiff_t>(part.size());
    const bool begins = from == text.begin() || !is_alphanumeric(*(from - 1));
    if (begins && (end == text.end() || !is_alphanumeric(*end))) return true;
  }
}

/// The first rule that fits, or null.
template <class Rule, class Fits>
const Rule* first_of(const std::vector<Rule>& rules, const Fits& fits) {
  const auto found = std::ranges::find_if(rules, fits);
  return found == rules.end() ? nullptr : &*found;
}

/// The first rule whose `contains` is in `text`, or null.
template <class Rule>
const Rule* first_contained(const std::vector<Rule>& rules, std::string_view text) {
  return first_of(rules, [&](const Rule& rule) { return contains_any_case(text, rule.contains); });
}

}  // namespace cubicbench::datasets
