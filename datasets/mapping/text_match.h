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

/// Does `part` begin after `before`: after neither letter nor digit?
inline bool begins_word(std::string_view before) {
  return before.empty() || !is_alphanumeric(before.back());
}

/// The same, or after a count: "8x".
inline bool begins_name(std::string_view before) {
  if (begins_word(before)) return true;
  const bool times = same_letter(before.back(), 'x') && before.size() > 1;
  return times && support::is_digit(before[before.size() - 2]);
}

/// Is `part` in `text` where `begins` holds of what is before it, and neither letter nor digit is
/// behind?
template <class Begins>
bool contains_where(std::string_view text, std::string_view part, const Begins& begins) {
  for (auto from = text.begin();; ++from) {
    from = std::search(from, text.end(), part.begin(), part.end(), same_letter);
    if (from == text.end()) return false;
    const auto end = from + static_cast<std::ptrdiff_t>(part.size());
    const bool ends = end == text.end() || !is_alphanumeric(*end);
    if (ends && begins(text.substr(0, static_cast<std::size_t>(from - text.begin())))) return true;
  }
}

/// The same as contains_any_case(), with neither letter nor digit beside `part`.
inline bool contains_word(std::string_view text, std::string_view part) {
  return contains_where(text, part, begins_word);
}

/// The same, where a count may stand before it: "8xL4".
inline bool contains_name(std::string_view text, std::string_view part) {
  return contains_where(text, part, begins_name);
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
