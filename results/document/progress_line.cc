#include "results/document/progress_line.h"

#include <algorithm>
#include <cmath>

#include "results/document/bars.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

constexpr int bar_columns = 24;

std::string rate_text(double rate_per_s) {
  return rate_per_s < 10.0 ? fixed(rate_per_s, 1) : grouped(static_cast<std::uint64_t>(rate_per_s));
}

}  // namespace

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

std::string progress_line(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                          int columns, const std::string& of) {
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  std::string words = grouped(static_cast<std::uint64_t>(done)) + "/" +
                      grouped(static_cast<std::uint64_t>(total)) + " " + of;
  if (rate_per_s && *rate_per_s > 0.0) {
    words += ", " + rate_text(*rate_per_s) + "/s, " +
             time_left(static_cast<double>(total - done) / *rate_per_s) + " left";
  }
  const int words_columns = static_cast<int>(words.size());
  const int bar_width = std::min(bar_columns, columns - words_columns - 2);
  if (bar_width < 4) {
    return words.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
  }
  const std::string bar = results::bar(share, bar_width, Ink::blocks);
  const auto drawn = static_cast<int>(columns_of(bar));
  return bar + std::string(static_cast<std::size_t>(bar_width - drawn + 2), ' ') + words;
}

}  // namespace cubicbench::results
