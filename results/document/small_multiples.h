#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/document/figure.h"

namespace cubicbench::results {

/// Lines that people tell apart by colour on one pair of axes.
inline constexpr std::size_t lines_together_max = 8;

/// Has the figure more lines than that? Then each has axes of its own.
bool needs_panels(const Figure& figure);

/// One pair of axes per line, all alike: the line as it looks with its band, marks and row of the
/// strip, before a grey copy of all others. The title is whom it shows.
std::vector<Figure> panels_of(const Figure& figure);

/// Everything that panels_script() draws, in its order: first what only the legend shows.
std::vector<Series> series_of_panels(const Figure& figure);

/// The script that draws the panels in rows, with one legend above them.
std::string panels_script(const Figure& figure);

}  // namespace cubicbench::results
