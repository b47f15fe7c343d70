#include "results/document/series_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

constexpr std::array<std::string_view, 6> colors{"#0072B2", "#D55E00", "#009E73",
                                                 "#CC79A7", "#56B4E9", "#E69F00"};
using enum PointMark;
constexpr std::array marks{full_circle,        full_triangle, full_square, full_diamond,
                           full_triangle_down, full_pentagon, square,      circle,
                           triangle,           pentagon,      diamond,     triangle_down};
static_assert(marks.size() == looks);
constexpr std::array<int, 4> dashes{1, 2, 4, 5};

/// Red, green and blue, 0 to 255.
using Rgb = std::array<double, 3>;

constexpr std::array<Rgb, 4> sequence{
    {{138, 63, 176}, {192, 57, 132}, {235, 108, 57}, {224, 172, 0}}};

std::string hex(const Rgb& color) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "#";
  for (const double part : color) {
    const auto value = static_cast<std::size_t>(std::floor(part + 0.5));
    text += digits[value / 16];
    text += digits[value % 16];
  }
  return text;
}

}  // namespace

SeriesLook look_of(std::size_t i) {
  return {.color = std::string(colors[i % colors.size()]),
          .mark = marks[i % marks.size()],
          .dash = dashes[i % dashes.size()]};
}

std::string sequential_color(std::size_t step, std::size_t steps) {
  SIM_ASSERT(step < steps, step, steps);
  if (steps == 1) return hex(sequence.front());
  const double at = static_cast<double>(step) / static_cast<double>(steps - 1) *
                    static_cast<double>(sequence.size() - 1);
  const std::size_t left = std::min(static_cast<std::size_t>(at), sequence.size() - 2);
  const double share = at - static_cast<double>(left);
  Rgb color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    color[i] = sequence[left][i] + share * (sequence[left + 1][i] - sequence[left][i]);
  }
  return hex(color);
}

}  // namespace cubicbench::results
