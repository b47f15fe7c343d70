#include "results/document/bars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "results/document/number_text.h"

namespace cubicbench::results {
namespace {

constexpr int label_columns = 23;
constexpr int value_columns = 11;
constexpr int percent_columns = 9;
constexpr int bar_columns = text_columns - 2 - label_columns - value_columns - percent_columns - 2;

std::string left(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns - std::min(columns, text.size()), ' ');
}

std::string right(std::string_view text, std::size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + std::string(text);
}

int steps_of(double share, int steps) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  const int rounded = static_cast<int>(std::round(clamped * steps));
  return clamped > 0.0 ? std::max(rounded, 1) : 0;
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
    std::string line = "  " + left(row.label, label_columns) + right(row.value, value_columns) +
                       right(percent(row.share), percent_columns);
    if (const std::string drawn = bar(row.length, bar_columns, ink); !drawn.empty()) {
      line += "  " + drawn;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace cubicbench::results
