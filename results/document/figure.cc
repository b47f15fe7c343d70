#include "results/document/figure.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "results/document/paragraph.h"
#include "sim/base/check.h"
#include "support/characters.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr int plot_pixels = 520;  ///< height of the axes with their labels
constexpr int legend_row_pixels = 22;
constexpr int axis_label_pixels = 66;      ///< below the axes
constexpr double strip_row_share = 0.045;  ///< of the height above it

/// In single quotes nothing is expanded. A quote inside, which gnuplot reads in more ways than one,
/// becomes the typographic one, and so does what would start a command elsewhere.
std::string gnuplot_string(std::string_view text) {
  constexpr std::string_view apostrophe = "\xE2\x80\x99";
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '`') {
      result += apostrophe;
    } else {
      result += support::is_control(c) ? '?' : c;
    }
  }
  return result + "'";
}

std::string data_block(std::size_t number, const Series& series) {
  std::string text = "$d" + std::to_string(number) + " << END\n";
  for (const FigurePoint& point : series.points) {
    text += shortest(point.x) + " " + shortest(point.y);
    if (series.style == SeriesStyle::band) {
      text += " " + shortest(point.y_high);
    }
    text += '\n';
  }
  return text + "END\n";
}

constexpr std::array<const char*, 5> dashes{"1", "(8,5)", "(2,4)", "(12,4,2,4)", "(4,3)"};

std::string look_of(const Series& series) {
  const std::string color = " lc rgb " + gnuplot_string(series.color);
  const std::string width = " lw " + shortest(series.width);
  const std::string line =
      color + width + " dt " + dashes.at(static_cast<std::size_t>(series.dash - 1));
  const std::string mark =
      " pt " + std::to_string(static_cast<int>(series.mark)) + " ps " + shortest(series.size);
  switch (series.style) {
    case SeriesStyle::line:
      return "with lines" + line;
    case SeriesStyle::steps:
      return "with steps" + line;
    case SeriesStyle::dots:
      return "with points" + color + mark + width;
    case SeriesStyle::band:
      return "with filledcurves" + color + " fs transparent solid 0.15 noborder";
    case SeriesStyle::marked_line:
      return "with linespoints" + line + mark;
  }
  return "";
}

std::string plot_of(std::size_t number, const Series& series) {
  if (series.points.empty()) {
    return "NaN " + look_of(series) + " title " + gnuplot_string(series.title);
  }
  return "$d" + std::to_string(number) +
         (series.style == SeriesStyle::band ? " using 1:2:3 " : " using 1:2 ") + look_of(series) +
         (series.title.empty() ? " notitle" : " title " + gnuplot_string(series.title));
}

/// Rows of a legend in two columns, or in one where a title is too long for half the width.
int legend_rows_of(const std::vector<Series>& all, int width) {
  const std::size_t half_width_characters = static_cast<std::size_t>(width) / 25;
  int titles = 0;
  bool two_columns = true;
  for (const Series& series : all) {
    titles += series.title.empty() ? 0 : 1;
    two_columns = two_columns && columns_of(series.title) <= half_width_characters;
  }
  return two_columns ? (titles + 1) / 2 : titles;
}

/// By how many characters a column of the legend is narrowed: gnuplot thinks that text is wider
/// than it is, the more so the longer it is.
std::string key_width(const std::vector<Series>& all) {
  std::size_t longest = 0;
  for (const Series& series : all) longest = std::max(longest, columns_of(series.title));
  return "-" + std::to_string(std::min<std::size_t>(4, longest / 5));
}

/// Everything that is drawn from data: strips get their place on the y axis here.
std::vector<Series> drawn(const Figure& figure) {
  std::vector<Series> all;
  const double range = figure.y.max - figure.y.min;
  for (const Series& series : figure.series) {
    if (!series.points.empty() || !series.title.empty()) all.push_back(series);
  }
  for (std::size_t row = 0; row < figure.strip.size(); ++row) {
    const double y = figure.y.min - (static_cast<double>(row) + 0.6) * strip_row_share * range;
    for (Series series : figure.strip[row].series) {
      for (FigurePoint& point : series.points) point.y = y;
      if (!series.points.empty()) all.push_back(series);
    }
  }
  return all;
}

/// What many rows of marks take, so that they do not squeeze the curves.
int strip_pixels(std::size_t rows) {
  constexpr std::size_t rows_within = 4;
  constexpr int row_pixels = 20;
  return rows > rows_within ? static_cast<int>(rows - rows_within) * row_pixels : 0;
}

/// A line over the whole width at `y`, up to the digits of its colour.
std::string across(const std::string& y) {
  return "set arrow from graph 0,first " + y + " to graph 1,first " + y + " nohead lc rgb '";
}

std::string axes_of(const Figure& figure, double y_low) {
  const std::string y_min = shortest(figure.y.min);
  std::string text = axis_script('x', figure.x, figure.x.min) + axis_script('y', figure.y, y_low);
  if (!figure.message.empty()) {
    text += "unset ytics\nset label " + gnuplot_string(figure.message) +
            " at graph 0.5,graph 0.5 center\n";
  }
  text += "set xlabel " + gnuplot_string(figure.x.label) + "\n";
  text += "set ylabel " + gnuplot_string(figure.y.label) + "\n";
  for (const Level& level : figure.levels) {
    text += across(shortest(level.y)) + "#000000' lw 1.4 dt (24,10) front\n";
    text += "set label " + gnuplot_string(level.label) + " at graph 1.01,first " +
            shortest(level.y) + " left front\n";
  }
  if (!figure.strip.empty()) {
    const std::string middle = shortest((figure.y.min + y_low) / 2.0);
    text += across(y_min) + "#808080' lw 1\n";
    text += "set label " + gnuplot_string(figure.strip_label) + " at graph -0.012,first " + middle +
            " right\n";
  }
  return text;
}

}  // namespace

std::string gnuplot_script(const Figure& figure) {
  SIM_ASSERT(figure.x.max > figure.x.min, figure.x.min, figure.x.max);
  SIM_ASSERT(figure.y.max > figure.y.min, figure.y.min, figure.y.max);
  SIM_ASSERT(figure.strip.empty() || figure.y.scale == AxisScale::linear, figure.strip.size());
  const std::vector<Series> all = drawn(figure);
  const int legend_rows = legend_rows_of(all, figure.width);
  const int legend_pixels = legend_rows * legend_row_pixels + 12;
  const int height = plot_pixels + strip_pixels(figure.strip.size()) + legend_pixels;
  const auto share = [&](int pixels) {
    return shortest(static_cast<double>(pixels) / static_cast<double>(height));
  };
  const double y_low = figure.y.min - static_cast<double>(figure.strip.size()) * 1.2 *
                                          strip_row_share * (figure.y.max - figure.y.min);
  std::string text;
  text += "set terminal svg noenhanced size " + std::to_string(figure.width) + "," +
          std::to_string(height) +
          " dynamic font 'sans-serif,15' background '#ffffff' name 'plot'\n";
  text +=
      "set encoding utf8\nset decimalsign '.'\nset border 3\nset grid ytics lc rgb '#c0c0c0' lw "
      "0.5\n";
  text += "set key at screen 0.5,screen " + share(6) +
          " bottom center vertical Left reverse samplen 2.5 width " + key_width(all) + " maxrows " +
          std::to_string(std::max(1, legend_rows)) + "\n";
  text += "set bmargin at screen " + share(legend_pixels + axis_label_pixels) + "\n";
  text += "set rmargin " + std::string(figure.levels.empty() ? "4" : "17") + "\nset lmargin 11\n";
  text += axes_of(figure, y_low);
  std::string plots;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += data_block(i, all[i]);
    plots += (i == 0 ? "" : ", ") + plot_of(i, all[i]);
  }
  // Without a single point the axes still tell what was asked.
  return text + "plot " + (plots.empty() ? "NaN notitle" : plots) + "\n";
}

}  // namespace cubicbench::results
