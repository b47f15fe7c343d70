#include "support/suggestion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "support/characters.h"
#include "support/parsed.h"

namespace cubicbench::support {
namespace {

/// What is left of a name when letter case and the kind of dash do not count.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c == '-' ? '_' : lowered(c);
  return out;
}

std::size_t distance_max(std::size_t a, std::size_t b) {
  const std::size_t longer = std::max(a, b);
  return longer < 2 ? 0 : std::max<std::size_t>(1, longer / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the optimal string alignment table: two back, one back, this one.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
  }
  return now[b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string wanted = folded(name);
  std::string_view best;
  std::size_t best_distance = 0;
  std::string_view completed;
  for (const std::string_view candidate : candidates) {
    const std::size_t limit = distance_max(name.size(), candidate.size());
    // Lengths that differ by more than the limit need more edits than that; a name of a megabyte
    // must not cost its length times that of every candidate.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) > limit &&
        candidate.size() < name.size()) {
      continue;
    }
    const std::string other = folded(candidate);
    if (wanted.size() >= 3 && other.starts_with(wanted) &&
        (completed.empty() || candidate.size() < completed.size())) {
      completed = candidate;
    }
    const std::size_t distance = edit_distance(wanted, other);
    if (distance > limit) continue;
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best.empty() ? completed : best);
}

std::string as_integer(std::string_view text) {
  constexpr double exact_max = 9007199254740992.0;  // 2^53
  constexpr std::string_view prefixes = "kmg";
  const auto written = [&](double number) {
    return std::to_string(static_cast<std::int64_t>(number));
  };
  const auto is_whole = [&](double number) {
    return number >= 0.0 && number <= exact_max && number == std::floor(number);
  };
  const std::size_t digits = std::min(text.find_first_not_of("0123456789.eE+"), text.size());
  const auto number = parsed<double>(text.substr(0, digits));
  if (!number || !std::isfinite(*number)) return "";
  if (parsed<std::int64_t>(text)) return "";
  if (digits == text.size())
    return is_whole(*number) ? "; did you mean " + written(*number) + "?" : "";
  const std::size_t place = prefixes.find(lowered(text[digits]));
  const std::string rest = folded(text.substr(digits + 1));
  if (place == std::string_view::npos ||
      (!rest.empty() && rest != "b" && rest != "i" && rest != "ib")) {
    return "";
  }
  const double binary = *number * std::ldexp(1.0, 10 * (static_cast<int>(place) + 1));
  double decimal = *number;
  for (std::size_t i = 0; i <= place; ++i) decimal *= 1000.0;
  if (!is_whole(binary) || !is_whole(decimal)) return "";
  return "; did you mean " + written(binary) + ", or " + written(decimal) + "?";
}

}  // namespace cubicbench::support
