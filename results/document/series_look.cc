#include "results/document/series_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

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
constexpr std::array<int, 4> dash_types{1, 2, 4, 5};

/// Who has a colour of its own.
struct Known {
  std::string_view names;  ///< each between spaces
  std::string_view color;
  int dash = 1;
};

constexpr Known known[] = {{" random ", "#6B7280"},
                           {" sobol ", "#94A3B8", 4},
                           {" evolution ", "#E69F00"},
                           {" cubicml ", "#0072B2"},
                           {" coordinate ", "#1F2937", 2},
                           {" local-search ", "#4B5563", 2},
                           {" tpe ridge ", "#CC79A7"},
                           {" tpe-multivariate ", "#CC79A7", 2},
                           {" forest xgboost ", "#009E73"},
                           {" banana xgboost-pairwise ", "#009E73", 2},
                           {" gp hybrid ", "#D55E00"},
                           {" cma-es ", "#D55E00", 2},
                           {" constant first-value ", "#94A3B8", 3},
                           {" gpu-count corner ", "#6B7280", 2},
                           {" knn ", "#56B4E9"},
                           {" mlp ", "#0072B2"},
                           {" mlp-squared ", "#0072B2", 2},
                           {" roofline ", "#E69F00"}};

constexpr std::pair<std::string_view, std::string_view> dark[] = {
    {"#6B7280", "#9CA3AF"}, {"#94A3B8", "#CBD5E1"}, {"#E69F00", "#F5B83D"}, {"#0072B2", "#4FA8DD"},
    {"#1F2937", "#E5E7EB"}, {"#4B5563", "#B6BDC8"}, {"#CC79A7", "#E3A3C6"}, {"#009E73", "#3CC29B"},
    {"#D55E00", "#F08A4B"}, {"#56B4E9", "#7CC7F0"}, {"#000000", "#E6E9EC"}, {"#404040", "#C4CAD0"},
    {"#606060", "#9AA4AE"}, {"#808080", "#7A848E"}, {"#d0d0d0", "#3A4249"}, {"#ffffff", "#14171A"}};

const Known* find_known(std::string_view name) {
  const std::string wanted = " " + std::string(name) + " ";
  const auto* const found = std::ranges::find_if(known, [&](const Known& entry) {
    return entry.names.find(wanted) != std::string_view::npos;
  });
  return found == std::end(known) ? nullptr : found;
}

/// Red, green and blue, 0 to 255.
using Rgb = std::array<double, 3>;

constexpr std::array<Rgb, 4> sequence{
    {{145, 40, 95}, {0, 114, 178}, {0, 158, 115}, {86, 180, 233}}};

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
          .dash = dash_types[i % dash_types.size()]};
}

std::vector<SeriesLook> looks_of(const std::vector<std::string>& names) {
  std::vector<SeriesLook> all;
  std::size_t others = 0;
  for (const std::string& name : names) {
    SeriesLook look = look_of(others);
    const auto taken = [&](const SeriesLook& other) {
      return other.color == look.color && other.dash == look.dash;
    };
    const auto is_taken = [&] { return std::ranges::any_of(all, taken); };
    if (const Known* const own = find_known(name.substr(0, name.find_first_of(": (")))) {
      look.color = own->color;
      look.dash = own->dash;
      for (std::size_t i = 0; i < dash_types.size() && is_taken(); ++i) look.dash = dash_types[i];
    }
    for (std::size_t i = 0; i < looks && is_taken(); ++i, ++others) look = look_of(others);
    look.mark = marks[all.size() % marks.size()];
    all.push_back(std::move(look));
  }
  return all;
}

std::span<const std::pair<std::string_view, std::string_view>> dark_colors() { return dark; }

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
