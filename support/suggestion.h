#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {

/// How many single-character insertions, deletions, replacements and swaps of neighbours lead from
/// `a` to `b`, no character being edited twice. Takes time |a| |b|.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate most likely meant by `name`, or "" when none is close: the one with the smallest
/// edit distance, at most a third of the longer length (and at least 1 for names of two or more);
/// letter case and `-` against `_` do not count. Failing that, the shortest candidate that begins
/// with `name`, if that has three characters or more. The first of equals wins.
std::string nearest(std::string_view name, std::span<const std::string_view> candidates);

/// What to write for an integer that came as "8k", "4.0" or "1e3": `; did you mean 8192, or 8000?`.
/// "" for what is no such number.
std::string as_integer(std::string_view text);

/// `; did you mean "NEAREST"?`, or "" when no candidate is close.
template <std::ranges::input_range Names>
std::string did_you_mean(std::string_view name, const Names& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string candidate = nearest(name, views);
  return candidate.empty() ? "" : "; did you mean \"" + candidate + "\"?";
}

}  // namespace cubicbench::support
