#include "results/document/bars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "results/document/number_text.h"
#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

constexpr int label_columns = 23;
constexpr int value_columns = 11;
constexpr int percent_columns = 9;
constexpr int bar_columns = text_columns - 2 - label_columns - value_columns - percent_columns - 2;

constexpr int progress_columns = 24;

int steps_of(double share, int steps) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  const int rounded = static_cast<int>(std::round(clamped * steps));
  return clamped > 0.0 ? std::max(rounded, 1) : 0;
}

std::string rate_text(double rate_per_s) {
  return rate_per_s < 10.0 ? fixed(rate_per_s, 1) : grouped(static_cast<std::uint64_t>(rate_per_s));
}

}  // namespace

std::string bar(double share, int width, Ink ink) {
  if (ink == Ink::plain) {
    return std::string(static_cast<std::size_t>(steps_of(share, width)), '#');
  }
  constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int steps = steps_of(share, 8 * width);
  std::string text;
  for (int full = 0; full < steps / 8; ++full) {
    text += "█";
  }
  return text + std::string(eighths[static_cast<std::size_t>(steps % 8)]);
}

std::string bar_rows(std::span<const BarRow> rows, Ink ink) {
  std::string text;
  for (const BarRow& row : rows) {
    const std::string share = percent(row.share);
    const std::string drawn = bar(row.length, bar_columns, ink);
    text += "  " + std::string(row.label) + padding(row.label, label_columns) +
            padding(row.value, value_columns) + row.value + padding(share, percent_columns) +
            share + (drawn.empty() ? "" : "  " + drawn) + "\n";
  }
  return text;
}

std::string time_left(double seconds) {
  constexpr double year_s = 365.0 * 86'400.0;
  const auto whole = static_cast<std::int64_t>(std::ceil(std::clamp(seconds, 0.0, year_s)));
  constexpr std::int64_t minute_s = 60;
  constexpr std::int64_t hour_s = 3600;
  if (whole < minute_s) return std::to_string(whole) + " s";
  if (whole < hour_s) {
    return std::to_string(whole / minute_s) + " min " + std::to_string(whole % minute_s) + " s";
  }
  return std::to_string(whole / hour_s) + " h " + std::to_string(whole % hour_s / minute_s) +
         " min";
}

std::string progress_words(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                           const std::string& of) {
  std::string words = grouped(done) + "/" + grouped(total) + " " + of;
  if (rate_per_s && *rate_per_s > 0.0) {
    words += ", " + rate_text(*rate_per_s) + "/s, " +
             time_left(static_cast<double>(total - done) / *rate_per_s) + " left";
  }
  return words;
}

std::string progress_line(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                          int columns, const std::string& of) {
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  const std::string words = progress_words(done, total, rate_per_s, of);
  const int bar_width = std::min(progress_columns, columns - static_cast<int>(words.size()) - 2);
  if (bar_width < 4) {
    return words.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
  }
  const std::string bar = results::bar(share, bar_width, Ink::blocks);
  return bar + padding(bar, static_cast<std::size_t>(bar_width) + 2) + words;
}

}  // namespace cubicbench::results
