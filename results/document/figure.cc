#include "results/document/figure.h"

#include <algorithm>
#include <cstddef>

#include "results/document/figure_script.h"
#include "results/document/paragraph.h"
#include "results/document/small_multiples.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr int label_row_pixels = 16;   ///< from one label of a line to the next
constexpr std::size_t labels_max = 6;  ///< lines that are labelled; of more, a legend tells

/// Of the whole picture, and of the axes with their labels.
struct Size {
  int width = 0;
  int axes = 0;
};

Size size_of(FigureShape shape) {
  if (shape == FigureShape::panel) return {.width = 350, .axes = 340};
  if (shape == FigureShape::square) return {.width = 560, .axes = 526};
  return {.width = 760, .axes = 436};
}

bool is_labelled(const Series& series) { return !series.label.empty() && !series.points.empty(); }

/// Lines beyond that are told apart in a legend.
bool labels_lines(const Figure& figure) {
  return static_cast<std::size_t>(std::ranges::count_if(figure.series, is_labelled)) <= labels_max;
}

/// What many rows of marks take, so that they do not squeeze the curves.
int strip_pixels(std::size_t rows) {
  constexpr std::size_t rows_within = 4;
  constexpr int row_pixels = 20;
  return rows > rows_within ? static_cast<int>(rows - rows_within) * row_pixels : 0;
}

/// A text to the right of the axes.
struct EndLabel {
  double at = 0.0;  ///< share of the axis
  std::string text;
  std::string color;
};

/// Moves labels apart that would lie on one another, by as little as may be.
void spread(std::vector<EndLabel>& labels, double gap) {
  std::ranges::stable_sort(labels, {}, &EndLabel::at);
  for (std::size_t i = 1; i < labels.size(); ++i) {
    labels[i].at = std::max(labels[i].at, labels[i - 1].at + gap);
  }
  double highest = 1.0;
  for (std::size_t i = labels.size(); i-- > 0; highest -= gap) {
    labels[i].at = std::min(labels[i].at, highest);
    highest = labels[i].at;
  }
}

std::vector<EndLabel> end_labels(const Figure& figure, double gap) {
  const double y_low = y_low_of(figure);
  const auto place = [&](double y) {
    if (figure.y.scale == AxisScale::linear) return (y - y_low) / (figure.y.max - y_low);
    return sim::log(y / y_low) / sim::log(figure.y.max / y_low);
  };
  std::vector<EndLabel> labels;
  for (const Level& level : figure.levels) {
    labels.push_back({.at = place(level.y), .text = level.label, .color = "#404040"});
  }
  for (const Series& series : figure.series) {
    if (!labels_lines(figure) || !is_labelled(series)) continue;
    labels.push_back({.at = place(series.points.back().y),
                      .text = series.label,
                      .color = series.label_color.empty() ? series.color : series.label_color});
  }
  spread(labels, gap);
  return labels;
}

std::string labels_script(const std::vector<EndLabel>& labels) {
  std::string text;
  std::size_t longest = 1;
  for (const EndLabel& label : labels) {
    text += "set label " + gnuplot_string(label.text) + " at graph 1.012,graph " +
            shortest(label.at) + " left front tc rgb " + gnuplot_string(label.color) + "\n";
    longest = std::max(longest, columns_of(label.text) + 1);
  }
  return text + "set rmargin " + std::to_string(labels.empty() ? 3 : longest) + "\n";
}

/// A panel has no pixel to lose: its axes are as long as the numbers beside them allow.
std::string sides_script(const Figure& figure, int width) {
  if (figure.shape == FigureShape::square) return "set lmargin 10\nset size ratio 1\n";
  if (figure.shape == FigureShape::wide) return "set lmargin 10\n";
  constexpr int name_pixels = 43;
  constexpr int digit_pixels = 8;
  constexpr int right_pixels = 22;
  const int left = name_pixels + digit_pixels * static_cast<int>(longest_tick(figure.y));
  return "set lmargin at screen " + share_of(left, width) + "\nset rmargin at screen " +
         share_of(width - right_pixels, width) + "\n";
}

std::string one_plot_script(Figure figure, const std::vector<Series>& all) {
  figure.x.few = figure.y.few = figure.shape == FigureShape::panel;
  const Size size = size_of(figure.shape);
  const int legend_pixels = legend_rows_of(all, size.width) * legend_row_pixels + 12;
  const int height = size.axes + strip_pixels(figure.strip.size()) + legend_pixels;
  const double gap =
      static_cast<double>(label_row_pixels) / static_cast<double>(size.axes - axis_label_pixels);
  return canvas_script(size.width, height) + legend_script(all, size.width, height) +
         "set bmargin at screen " + share_of(axis_label_pixels, height) +
         "\nset tmargin at screen " + share_of(height - legend_pixels, height) + "\n" +
         labels_script(end_labels(figure, gap)) + sides_script(figure, size.width) +
         axes_script(figure) + "set xlabel " + gnuplot_string(figure.x.label) + "\nset ylabel " +
         gnuplot_string(figure.y.label) + "\n" + plot_script(all, 0);
}

}  // namespace

std::vector<Series> drawn_series(const Figure& figure) {
  if (needs_panels(figure)) return series_of_panels(figure);
  if (labels_lines(figure)) return series_on_axes(figure);
  Figure with_legend = figure;
  for (Series& series : with_legend.series) {
    if (is_labelled(series)) series.title = series.label;
  }
  return series_on_axes(with_legend);
}

const std::string& name_of(const Series& series) {
  return series.label.empty() ? series.title : series.label;
}

std::string gnuplot_script(const Figure& figure) {
  SIM_ASSERT(figure.x.max > figure.x.min, figure.x.min, figure.x.max);
  SIM_ASSERT(figure.y.max > figure.y.min, figure.y.min, figure.y.max);
  SIM_ASSERT(figure.strip.empty() || figure.y.scale == AxisScale::linear, figure.strip.size());
  return needs_panels(figure) ? panels_script(figure)
                              : one_plot_script(figure, drawn_series(figure));
}

}  // namespace cubicbench::results
