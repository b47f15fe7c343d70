#include "results/document/small_multiples.h"

#include <algorithm>
#include <iterator>

#include "results/document/figure_script.h"
#include "results/document/paragraph.h"
#include "sim/base/numeric.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr int columns = 4;
constexpr int width_pixels = 1040;
constexpr int axes_pixels = 150;  ///< height of a panel's axes
constexpr int title_pixels = 32;  ///< above them
constexpr int gap_pixels = 36;    ///< between columns, for numbers at the ends of axes
constexpr int left_pixels = 78;   ///< for the name and the numbers of the y axis
constexpr const char* grey = "#d0d0d0";

bool is_line(const Series& series) {
  return !series.points.empty() &&
         (series.style == SeriesStyle::line || series.style == SeriesStyle::steps ||
          series.style == SeriesStyle::marked_line);
}

const std::string& shown_by(const Series& series) {
  return series.of.empty() ? name_of(series) : series.of;
}

/// Whom lines with a name show, each once, in their order.
std::vector<std::string> shown_ones(const Figure& figure) {
  std::vector<std::string> names;
  for (const Series& series : figure.series) {
    if (!is_line(series) || name_of(series).empty()) continue;
    const std::string& name = shown_by(series);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Series grey_copy(const Series& line) {
  return {.style = line.style == SeriesStyle::marked_line ? SeriesStyle::line : line.style,
          .color = grey,
          .width = 1.0,
          .points = line.points};
}

Figure panel_of(const Figure& figure, const std::string& name) {
  Figure panel = figure;
  panel.title = name;
  panel.series.clear();
  panel.strip.clear();
  panel.x.few = true;
  panel.y.few = true;
  for (const Series& series : figure.series) {
    if (is_line(series) && shown_by(series) != name) panel.series.push_back(grey_copy(series));
  }
  for (Series series : figure.series) {
    const std::string& shown = shown_by(series);
    if (series.points.empty() || (shown != name && (is_line(series) || !series.of.empty()))) {
      continue;
    }
    series.title.clear();
    panel.series.push_back(std::move(series));
  }
  if (figure.strip.empty()) return panel;
  panel.strip.emplace_back();  // of all panels, so that their axes are alike
  for (const StripRow& row : figure.strip) {
    if (row.of == name) panel.strip.front() = row;
  }
  return panel;
}

/// What explains marks and colours without being drawn.
std::vector<Series> legend_of(const Figure& figure) {
  std::vector<Series> legend;
  std::ranges::copy_if(figure.series, std::back_inserter(legend), [](const Series& series) {
    return series.points.empty() && !series.title.empty();
  });
  return legend;
}

/// The colour of its line, in which the panel's title is written.
std::string color_of(const Figure& figure, const std::string& name) {
  for (const Series& series : figure.series) {
    if (!is_line(series) || name_of(series).empty() || shown_by(series) != name) continue;
    return series.label_color.empty() ? series.color : series.label_color;
  }
  return "#000000";
}

/// Where things are in the picture, in pixels from its left and its top.
struct Grid {
  int panels = 0;
  int legend = 0;  ///< height
  int right = 0;   ///< right of the last column, for the names of levels

  int rows() const { return (panels + columns - 1) / columns; }
  int height() const { return legend + rows() * (title_pixels + axes_pixels) + axis_label_pixels; }
  int panel_width() const {
    return (width_pixels - left_pixels - right - (columns - 1) * gap_pixels) / columns;
  }
  int left_of(int panel) const {
    return left_pixels + panel % columns * (panel_width() + gap_pixels);
  }
  int top_of(int panel) const {
    return legend + panel / columns * (title_pixels + axes_pixels) + title_pixels;
  }
  bool is_leftmost(int panel) const { return panel % columns == 0; }
  bool is_rightmost(int panel) const { return panel % columns == columns - 1; }
  bool is_lowest(int panel) const { return panel + columns >= panels; }
};

Grid grid_of(const Figure& figure, std::size_t panels) {
  constexpr int character_pixels = 7;
  std::size_t longest = 1;
  for (const Level& level : figure.levels) longest = std::max(longest, columns_of(level.label));
  const std::vector<Series> legend = legend_of(figure);
  return {.panels = static_cast<int>(panels),
          .legend = legend_rows_of(legend, width_pixels) * legend_row_pixels + 4,
          .right = 12 + (figure.levels.empty() ? 0 : character_pixels * static_cast<int>(longest))};
}

/// `x` pixels from the left and `y` from the top, as gnuplot has places.
std::string at_screen(const Grid& grid, int x, int y) {
  return " at screen " + share_of(x, width_pixels) + ",screen " +
         share_of(grid.height() - y, grid.height());
}

/// The names of both axes, once for all panels.
std::string names_script(const Figure& figure, const Grid& grid) {
  const int bottom = grid.height() - 12;
  const int middle = (grid.legend + title_pixels + grid.height() - axis_label_pixels) / 2;
  return "set label " + gnuplot_string(figure.x.label) +
         at_screen(grid, (left_pixels + width_pixels - grid.right) / 2, bottom) +
         " center\nset label " + gnuplot_string(figure.y.label) + at_screen(grid, 14, middle) +
         " center rotate by 90\n";
}

std::string levels_script(const Figure& panel) {
  std::string text;
  for (const Level& level : panel.levels) {
    text += "set label " + gnuplot_string(level.label) + " at graph 1.03,first " +
            shortest(level.y) + " left tc rgb '#404040'\n";
  }
  return text;
}

std::string place_script(const Grid& grid, int panel) {
  const int left = grid.left_of(panel);
  const int top = grid.top_of(panel);
  const auto side = [](const char* margin, int pixels, int whole) {
    return std::string("set ") + margin + " at screen " + share_of(pixels, whole) + "\n";
  };
  return side("lmargin", left, width_pixels) +
         side("rmargin", left + grid.panel_width(), width_pixels) +
         side("tmargin", grid.height() - top, grid.height()) +
         side("bmargin", grid.height() - top - axes_pixels, grid.height());
}

}  // namespace

bool needs_panels(const Figure& figure) { return shown_ones(figure).size() > lines_together_max; }

std::vector<Figure> panels_of(const Figure& figure) {
  std::vector<Figure> panels;
  for (const std::string& name : shown_ones(figure)) panels.push_back(panel_of(figure, name));
  return panels;
}

std::vector<Series> series_of_panels(const Figure& figure) {
  std::vector<Series> all = legend_of(figure);
  for (const Figure& panel : panels_of(figure)) {
    std::ranges::move(series_on_axes(panel), std::back_inserter(all));
  }
  return all;
}

std::string panels_script(const Figure& figure) {
  std::vector<Figure> panels = panels_of(figure);
  const Grid grid = grid_of(figure, panels.size());
  std::string text = canvas_script(width_pixels, grid.height()) +
                     legend_script(legend_of(figure), width_pixels, grid.height()) +
                     "set multiplot\n";
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int number = static_cast<int>(i);
    std::vector<Series> all = i == 0 ? legend_of(figure) : std::vector<Series>{};
    std::ranges::move(series_on_axes(panels[i]), std::back_inserter(all));
    panels[i].y.numbers = grid.is_leftmost(number);
    if (!grid.is_leftmost(number)) panels[i].strip_label.clear();
    panels[i].x.numbers = grid.is_lowest(number);
    text += "unset label\nunset arrow\nset format\n" + place_script(grid, number) +
            axes_script(panels[i]) + "set label " + gnuplot_string(panels[i].title) +
            " at graph 0,graph 1.09 left tc rgb " +
            gnuplot_string(color_of(figure, panels[i].title)) + "\n";
    if (i == 0) text += names_script(figure, grid);
    if (grid.is_rightmost(number)) text += levels_script(panels[i]);
    text += plot_script(all, drawn);
    drawn += all.size();
  }
  return text + "unset multiplot\n";
}

}  // namespace cubicbench::results
