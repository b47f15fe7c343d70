#include "results/document/figure_script.h"

#include <algorithm>
#include <array>

#include "results/document/paragraph.h"
#include "support/characters.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr std::size_t bands_max = 2;
constexpr std::size_t whiskers = 5;        ///< of what would be a band too many
constexpr double strip_row_share = 0.045;  ///< of the height above it

std::string data_block(std::size_t number, const Series& series) {
  std::string text = "$d" + std::to_string(number) + " << END\n";
  for (const FigurePoint& point : series.points) {
    text += shortest(point.x) + " " + shortest(point.y);
    if (series.style == SeriesStyle::band) text += " " + shortest(point.y_high);
    if (series.style == SeriesStyle::whiskers) text += " 0 " + shortest(point.y_high - point.y);
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
      return "with filledcurves fc rgb " + gnuplot_string(series.color) +
             " fs transparent solid 0.12 border rgb " + gnuplot_string(series.color);
    case SeriesStyle::whiskers:
      return "with vectors nohead" + color + " lw 1.2";
    case SeriesStyle::marked_line:
      return "with linespoints" + line + mark;
  }
  return "";
}

const char* columns_used(SeriesStyle style) {
  if (style == SeriesStyle::band) return " using 1:2:3 ";
  return style == SeriesStyle::whiskers ? " using 1:2:3:4 " : " using 1:2 ";
}

std::string plot_of(std::size_t number, const Series& series) {
  if (series.points.empty()) {
    return "NaN " + look_of(series) + " title " + gnuplot_string(series.title);
  }
  return "$d" + std::to_string(number) + columns_used(series.style) + look_of(series) +
         (series.title.empty() ? " notitle" : " title " + gnuplot_string(series.title));
}

/// Columns of the legend, as many as the longest title leaves room for.
int legend_columns(const std::vector<Series>& all, int width) {
  constexpr std::size_t sample_columns = 9;
  constexpr std::size_t character_pixels = 8;
  std::size_t longest = 1;
  for (const Series& series : all) longest = std::max(longest, columns_of(series.title));
  const std::size_t pixels = (longest + sample_columns) * character_pixels;
  return std::max(1, width / static_cast<int>(pixels));
}

/// By how many characters a column of the legend is narrowed: gnuplot thinks that text is wider
/// than it is, the more so the longer it is.
std::string key_width(const std::vector<Series>& all) {
  std::size_t longest = 0;
  for (const Series& series : all) longest = std::max(longest, columns_of(series.title));
  return "-" + std::to_string(std::min<std::size_t>(4, longest / 5));
}

/// A band that would lie on others as bars at a few places; `shift` keeps two of them apart.
Series whiskers_of(Series band, std::size_t shift) {
  const std::size_t count = band.points.size();
  std::vector<FigurePoint> some;
  for (std::size_t i = 1; i <= whiskers && count > 0; ++i) {
    some.push_back(band.points[std::min(count - 1, i * count / (whiskers + 1) + shift)]);
  }
  band.style = SeriesStyle::whiskers;
  band.points = std::move(some);
  return band;
}

/// A line over the whole width at `y`, up to the digits of its colour.
std::string across(const std::string& y) {
  return "set arrow from graph 0,first " + y + " to graph 1,first " + y + " nohead lc rgb '";
}

const char* level_look(const Level& level) {
  return level.is_row ? "#d0d0d0' lw 0.5 back\n" : "#000000' lw 1 dt (24,10) front\n";
}

}  // namespace

std::string canvas_script(int width, int height) {
  return "set terminal svg noenhanced size " + std::to_string(width) + "," +
         std::to_string(height) +
         " dynamic font 'sans-serif,13' background '#ffffff' name 'plot'\n"
         "set encoding utf8\nset decimalsign '.'\nset border 3 lc rgb '#808080'\nset tics scale "
         "0.4 font ',12' tc rgb '#404040'\nset grid ytics lc rgb '#d0d0d0' lw 0.5\n";
}

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

int legend_rows_of(const std::vector<Series>& all, int width) {
  const auto titles =
      std::ranges::count_if(all, [](const Series& series) { return !series.title.empty(); });
  const int columns = legend_columns(all, width);
  return (static_cast<int>(titles) + columns - 1) / columns;
}

std::string legend_script(const std::vector<Series>& all, int width, int height) {
  constexpr int margin = 4;
  return "set key at screen 0.5,screen " + share_of(height - margin, height) +
         " top center vertical Left reverse samplen 2 width " + key_width(all) + " maxrows " +
         std::to_string(std::max(1, legend_rows_of(all, width))) + "\n";
}

double y_low_of(const Figure& figure) {
  return figure.y.min - static_cast<double>(figure.strip.size()) * 1.2 * strip_row_share *
                            (figure.y.max - figure.y.min);
}

std::string axes_script(const Figure& figure) {
  const std::string y_min = shortest(figure.y.min);
  const double y_low = y_low_of(figure);
  std::string text = axis_script('x', figure.x, figure.x.min) + axis_script('y', figure.y, y_low);
  if (!figure.message.empty()) {
    text += "unset ytics\nset label " + gnuplot_string(figure.message) +
            " at graph 0.5,graph 0.5 center\n";
  }
  for (const Level& level : figure.levels) {
    text += across(shortest(level.y)) + level_look(level);
  }
  if (!figure.strip.empty()) {
    const std::string middle = shortest((figure.y.min + y_low) / 2.0);
    text += across(y_min) + "#808080' lw 1\n";
    text += "set label " + gnuplot_string(figure.strip_label) + " at graph -0.012,first " + middle +
            " right\n";
  }
  return text;
}

std::string plot_script(const std::vector<Series>& all, std::size_t first) {
  std::string text;
  std::string plots;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += data_block(first + i, all[i]);
    plots += (i == 0 ? "" : ", ") + plot_of(first + i, all[i]);
  }
  // Without a single point the axes still tell what was asked.
  return text + "plot " + (plots.empty() ? "NaN notitle" : plots) + "\n";
}

std::vector<Series> series_on_axes(const Figure& figure) {
  std::vector<Series> all;
  const double range = figure.y.max - figure.y.min;
  std::size_t bands = 0;
  for (Series series : figure.series) {
    if (series.points.empty() && series.title.empty()) continue;
    const bool is_band = series.style == SeriesStyle::band;
    if (is_band && ++bands > bands_max) series = whiskers_of(std::move(series), bands);
    all.push_back(std::move(series));
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

std::string share_of(int pixels, int whole) {
  return shortest(static_cast<double>(pixels) / static_cast<double>(whole));
}

}  // namespace cubicbench::results
