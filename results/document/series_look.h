#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/figure.h"

namespace cubicbench::results {

/// How one series among many looks.
struct SeriesLook {
  std::string color;
  PointMark mark = PointMark::full_circle;
  int dash = 1;
};

/// Looks there are: no two of them are equal in colour and dash, nor in colour and mark, nor in
/// mark at all.
inline constexpr std::size_t looks = 12;

/// The look of series `i`; after `looks` of them they begin again. Source of the colours, which
/// people with any colour vision tell apart: Okabe and Ito, "Color universal design", 2008.
SeriesLook look_of(std::size_t i);

/// The looks of searchers or predictors that are shown together, by their names: those that ship
/// have one colour each on every page, others one that nobody beside them has. What stands behind a
/// name in brackets or after ':' changes the dash. Sources of the colours as of look_of().
std::vector<SeriesLook> looks_of(const std::vector<std::string>& names);

/// Colours of look_of() and looks_of() with what stands for them on a dark page.
std::span<const std::pair<std::string_view, std::string_view>> dark_colors();

/// Colour of step `step` of `steps`: a row of colours from plum over blue and green to sky whose
/// lightness grows, all of which can be seen on white and on black and told apart with any colour
/// vision. Requires step < steps.
std::string sequential_color(std::size_t step, std::size_t steps);

}  // namespace cubicbench::results
