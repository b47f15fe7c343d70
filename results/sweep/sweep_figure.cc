#include "results/sweep/sweep_figure.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "results/document/axis_unit.h"
#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/sweep/failure_look.h"
#include "results/sweep/sweep_document.h"
#include "scenarios/readers/override.h"
#include "search/finished/study_truth.h"
#include "sim/base/binary_sizes.h"
#include "support/characters.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

/// Lines of one figure, small multiples included.
constexpr std::size_t lines_max = 24;
/// From this ratio on equal steps are factors.
constexpr double ratio_of_log = 8.0;

/// What the figures share: where each point stands, and on which line.
struct Layout {
  Axis x;
  bool of_names = false;             ///< no line leads from one to the next
  std::vector<double> places;        ///< of the values of the axis along
  std::size_t along = 0;             ///< the axis
  std::vector<std::size_t> others;   ///< axes that tell lines apart
  std::vector<std::string> lines;    ///< their names; one "" of a single line
  std::vector<std::size_t> line_of;  ///< of each point
};

/// The values as numbers; nothing where one of them is none.
std::optional<std::vector<double>> numbers_of(const SweepAxis& axis) {
  std::vector<double> numbers;
  for (const std::string& value : axis.values) {
    const auto written = scenarios::value_written(axis.name + "=" + value);
    if (!written.is_number()) return std::nullopt;
    numbers.push_back(written.get<double>());
  }
  return numbers;
}

/// Are they as far apart, one after the other?
bool are_even(const std::vector<double>& numbers) {
  for (std::size_t i = 2; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] != numbers[1] - numbers[0]) return false;
  }
  return numbers.size() > 2;
}

/// Numbers where they stand, evenly by factors where they go far; names side by side.
void lay_along(const SweepAxis& axis, Layout& layout) {
  if (const auto numbers = numbers_of(axis)) {
    const auto [low, high] = std::ranges::minmax(*numbers);
    const bool is_log = low > 0.0 && high >= ratio_of_log * low && !are_even(*numbers);
    layout.x =
        is_log ? log_axis(axis.name, *numbers, AxisScale::log2) : linear_axis(axis.name, *numbers);
    layout.places = *numbers;
    return;
  }
  // Axes have numbers: 1, 2, 3 stand for names, which the label says.
  const std::size_t count = axis.values.size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    layout.places.push_back(static_cast<double>(i + 1));
    names.push_back(std::to_string(i + 1) + " " + axis.values[i]);
  }
  layout.of_names = true;
  layout.x = linear_axis(axis.name + ": " + support::joined(names, ", "), layout.places);
}

/// What tells the line of a point from others: the bare value where one axis does.
std::string line_name(const Sweep& sweep, const Layout& layout, std::size_t number) {
  return layout.others.empty() ? "" : settings_text(sweep, layout.others, number);
}

std::optional<Layout> layout_of(const Sweep& sweep) {
  std::vector<std::size_t> axes = varying_axes(sweep);
  if (axes.empty()) return std::nullopt;
  Layout layout;
  layout.along = axes.front();
  layout.others.assign(axes.begin() + 1, axes.end());
  std::size_t lines = 1;
  for (const std::size_t axis : layout.others) lines *= sweep.asked.axes[axis].values.size();
  if (lines > lines_max) return std::nullopt;
  lay_along(sweep.asked.axes[layout.along], layout);
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const std::string name = line_name(sweep, layout, i);
    const auto found = std::ranges::find(layout.lines, name);
    layout.line_of.push_back(static_cast<std::size_t>(found - layout.lines.begin()));
    if (found == layout.lines.end()) layout.lines.push_back(name);
  }
  return layout;
}

double place_of(const Sweep& sweep, const Layout& layout, std::size_t number) {
  return layout.places[places_of(sweep.asked.axes, number)[layout.along]];
}

/// Reads one number off a point.
using Amount = std::function<std::optional<double>(const SweepPoint& point)>;

/// Points of a line, from left to right.
std::vector<std::size_t> points_of(const Sweep& sweep, const Layout& layout, std::size_t line) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (layout.line_of[i] == line) numbers.push_back(i);
  }
  std::ranges::stable_sort(numbers, {}, [&](std::size_t i) { return place_of(sweep, layout, i); });
  return numbers;
}

/// A line with gaps where points have no amount: pieces that share a look, the last one labelled.
void add_line(const Sweep& sweep, const Layout& layout, std::size_t line, double unit,
              const Amount& amount, Figure& figure) {
  const SeriesLook look = look_of(line);
  const Series empty{.of = layout.lines[line],
                     .style = layout.of_names ? SeriesStyle::dots : SeriesStyle::marked_line,
                     .color = look.color,
                     .dash = look.dash,
                     .width = layout.lines.size() == 1 ? 2.5 : 2.0,
                     .mark = look.mark,
                     .size = 0.6};
  std::vector<Series> pieces(1, empty);
  for (const std::size_t i : points_of(sweep, layout, line)) {
    const std::optional<double> value = amount(sweep.points[i]);
    if (value) {
      pieces.back().points.push_back({place_of(sweep, layout, i), *value / unit});
    } else if (!pieces.back().points.empty()) {
      pieces.push_back(empty);
    }
  }
  if (pieces.back().points.empty() && pieces.size() > 1) pieces.pop_back();
  pieces.back().label = layout.lines[line];
  std::ranges::move(pieces, std::back_inserter(figure.series));
}

/// A row of marks per line for the points without an amount, and a word on each reason.
void add_failures(const Sweep& sweep, const Layout& layout, Figure& figure) {
  std::vector<StripRow> rows(layout.lines.size());
  const bool alone = rows.size() == 1;
  for (const FailureLook& look : failure_looks()) {
    bool seen = false;
    for (std::size_t line = 0; line < rows.size(); ++line) {
      rows[line].of = layout.lines[line];
      Series marks{.of = layout.lines[line],
                   .style = SeriesStyle::dots,
                   .color = alone ? look.color : look_of(line).color,
                   .width = 1.2,
                   .mark = look.mark,
                   .size = 0.6};
      for (const std::size_t i : points_of(sweep, layout, line)) {
        if (sweep.points[i].reason != look.reason) continue;
        marks.points.push_back({place_of(sweep, layout, i), 0.0});
      }
      seen = seen || !marks.points.empty();
      rows[line].series.push_back(std::move(marks));
    }
    if (!seen) continue;
    figure.strip_label = "failed";
    figure.series.push_back({.title = std::string(look.phrase),
                             .style = SeriesStyle::dots,
                             .color = alone ? look.color : "#606060",
                             .width = 1.2,
                             .mark = look.mark,
                             .size = 0.6});
  }
  if (!figure.strip_label.empty()) figure.strip = std::move(rows);
}

std::vector<double> known_amounts(const Sweep& sweep, const Amount& amount, double unit) {
  std::vector<double> values;
  for (const SweepPoint& point : sweep.points) {
    if (const auto value = amount(point)) values.push_back(*value / unit);
  }
  return values;
}

/// From zero on, where the values leave no reason to look closer.
Axis amount_axis(std::string label, std::vector<double> values) {
  if (values.empty()) return {.label = std::move(label)};
  const auto [low, high] = std::ranges::minmax(values);
  if (low < 0.6 * high) values.push_back(0.0);
  Axis axis = linear_axis(std::move(label), values);
  axis.min = std::max(axis.min, 0.0);
  return axis;
}

Drawing objective_drawing(const Sweep& sweep, const Layout& layout) {
  const Amount amount = [](const SweepPoint& point) { return point.objective; };
  const std::vector<double> values = known_amounts(sweep, amount, 1.0);
  const AxisUnit unit = axis_unit(values.empty() ? 1.0 : std::ranges::max(values));
  const std::string& along = sweep.asked.axes[layout.along].name;
  Figure figure;
  figure.name = stem_of(sweep.scenario, "objective");
  figure.title = sweep.scenario + ": objective over " + along;
  figure.x = layout.x;
  figure.y = amount_axis(search::measure_of(sweep.objective) + unit.ending,
                         known_amounts(sweep, amount, unit.size));
  if (values.empty()) figure.message = "no point runs";
  for (std::size_t line = 0; line < layout.lines.size(); ++line) {
    add_line(sweep, layout, line, unit.size, amount, figure);
  }
  add_failures(sweep, layout, figure);
  std::string caption = "Noise-free objective of every point";
  caption += layout.others.empty() ? "." : ", a line per value of what else is swept.";
  if (!figure.strip.empty()) caption += " Marks below the axis are points that do not run.";
  if (figure.y.min > 0.0) caption += " The axis does not begin at zero.";
  return {
      .figure = figure, .caption = caption, .stem = figure.name, .csv = csv_of(point_table(sweep))};
}

Drawing memory_drawing(const Sweep& sweep, const Layout& layout) {
  const Amount amount = [](const SweepPoint& point) { return point.memory_bytes; };
  std::vector<double> values = known_amounts(sweep, amount, sim::bytes_per_gib);
  const std::string& along = sweep.asked.axes[layout.along].name;
  Figure figure;
  figure.name = stem_of(sweep.scenario, "memory");
  figure.title = sweep.scenario + ": memory over " + along;
  figure.x = layout.x;
  const std::vector<double> capacities = known_amounts(
      sweep, [](const SweepPoint& point) { return point.capacity_bytes; }, sim::bytes_per_gib);
  const auto [least, greatest] = std::ranges::minmax(capacities);
  if (greatest - least < 0.01 * greatest) {
    figure.levels.push_back({least, "capacity"});
    values.push_back(least);
  }
  values.push_back(0.0);
  figure.y = amount_axis("memory that must fit, GiB", values);
  for (std::size_t line = 0; line < layout.lines.size(); ++line) {
    add_line(sweep, layout, line, sim::bytes_per_gib, amount, figure);
  }
  return {.figure = figure,
          .caption =
              "What the rank that needs most must fit into its device, also of points that "
              "run out of memory; invalid points have none. Capacity is what the device "
              "leaves beside context and communicators; where it differs between points it "
              "is in the CSV.",
          .stem = figure.name,
          .csv = csv_of(point_table(sweep))};
}

}  // namespace

std::string stem_of(std::string_view scenario, std::string_view what) {
  std::string stem;
  for (const char c : scenario) stem += support::is_letter(c) || support::is_digit(c) ? c : '-';
  return stem + "-" + std::string(what);
}

std::vector<Drawing> sweep_drawings(const Sweep& sweep) {
  const std::optional<Layout> layout = layout_of(sweep);
  if (!layout) return {};
  std::vector<Drawing> drawings{objective_drawing(sweep, *layout)};
  const bool has_memory = std::ranges::any_of(
      sweep.points, [](const SweepPoint& point) { return point.memory_bytes.has_value(); });
  if (has_memory) drawings.push_back(memory_drawing(sweep, *layout));
  return drawings;
}

}  // namespace cubicbench::results
