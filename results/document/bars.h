#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cubicbench::results {

/// What bars are drawn with: UTF-8 blocks to an eighth of a column, or whole columns of `#`.
enum class Ink { blocks, plain };

/// A bar of `share` (clamped to [0, 1]) of `width` columns, without trailing spaces. What is above
/// zero shows at least the smallest mark.
std::string bar(double share, int width, Ink ink);

struct BarRow {
  std::string_view label;
  std::string value;    ///< with its unit
  double share = 0.0;   ///< printed as a percentage
  double length = 0.0;  ///< of the bar, 1 being the full width
};

/// Rows of label, value, percentage and bar in aligned columns, at most `text_columns` wide.
std::string bar_rows(std::span<const BarRow> rows, Ink ink);

/// "1,234/3,000 launches, 512/s, 3 s left". `of` is what is counted: "launches", "fits of fig2b
/// (2/8)". `rate_per_s` is absent while it is not known yet.
std::string progress_words(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                           const std::string& of);

/// The line of a progress bar: "██████      1,234/3,000 launches, 512/s, 3 s left", at most
/// `columns` wide.
std::string progress_line(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                          int columns, const std::string& of = "launches");

/// "3 s", "2 min 5 s", "1 h 20 min": what is left, rounded up to a second.
std::string time_left(double seconds);

/// Widest line of any text that we print.
inline constexpr int text_columns = 80;

}  // namespace cubicbench::results
