#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/document/figure.h"

namespace cubicbench::results {

// Parts of the scripts that draw a figure, be it one pair of axes or several.

/// How high a row of the legend is, in pixels.
inline constexpr int legend_row_pixels = 20;

/// Below the axes, for the numbers and the name of the x axis, in pixels.
inline constexpr int axis_label_pixels = 60;

/// What a figure of this size begins with: the terminal and what all its axes have.
std::string canvas_script(int width, int height);

/// A string of the script in which nothing is a command.
std::string gnuplot_string(std::string_view text);

/// Rows that the titles of `all` take in a legend `width` pixels wide.
int legend_rows_of(const std::vector<Series>& all, int width);

/// The legend of `all` at the top of a picture of that size.
std::string legend_script(const std::vector<Series>& all, int width, int height);

/// Where the y axis of the figure begins: below its least value where it has a strip.
double y_low_of(const Figure& figure);

/// Ranges, ticks, levels and the strip's frame; not the names of the axes.
std::string axes_script(const Figure& figure);

/// The data of `all` and the command that draws them. Data blocks are numbered from `first` on.
std::string plot_script(const std::vector<Series>& all, std::size_t first);

/// Series of one pair of axes as they are drawn: bands that are too many as bars, the strip's marks
/// at their height.
std::vector<Series> series_on_axes(const Figure& figure);

/// A length of pixels as a share of the whole.
std::string share_of(int pixels, int whole);

}  // namespace cubicbench::results
