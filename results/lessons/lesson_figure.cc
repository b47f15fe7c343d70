#include "results/lessons/lesson_figure.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "results/document/csv.h"
#include "results/document/series_look.h"
#include "results/lessons/lesson_blocks.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

using support::InputError;

/// The text behind `key: ` on the line; nothing where it begins otherwise.
std::optional<std::string> behind(const SourceLine& line, std::string_view key) {
  const std::string head = std::string(key) + ": ";
  if (!line.text.starts_with(head)) return std::nullopt;
  return line.text.substr(head.size());
}

/// The two parts of `text` around the separator, which it must have.
std::pair<std::string, std::string> halves(const std::string& text, std::string_view separator,
                                           const SourceLine& line) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) {
    throw InputError(line.where,
                     "expected \"" + std::string(separator) + "\" in " + support::in_quotes(text));
  }
  return {text.substr(0, at), text.substr(at + separator.size())};
}

std::vector<FigurePoint> points_of(std::string list, const SourceLine& line,
                                   const LessonValues& values) {
  std::vector<FigurePoint> points;
  for (bool more = true; more;) {
    const std::size_t at = list.find("; ");
    more = at != std::string::npos;
    const auto [x, y] = halves(list.substr(0, at), ", ", line);
    points.push_back({.x = values.number(x, line.where), .y = values.number(y, line.where)});
    if (more) list.erase(0, at + 2);
  }
  return points;
}

Series series_of(const SourceLine& line, bool dots, std::size_t place, const LessonValues& values) {
  const std::string kind = dots ? "dots " : "line ";
  const auto [name, list] = halves(line.text.substr(kind.size()), ": ", line);
  const SeriesLook look = look_of(place);
  return {.title = dots ? values.filled(name, line.where) : "",
          .label = dots ? "" : values.filled(name, line.where),
          .style = dots ? SeriesStyle::dots : SeriesStyle::marked_line,
          .color = look.color,
          .dash = look.dash,
          .mark = look.mark,
          .size = dots ? 1.0 : 0.5,
          .points = points_of(list, line, values)};
}

/// The axes hold every point.
Axis axis_of(const Axis& asked, const std::vector<Series>& series, double FigurePoint::*along) {
  std::vector<double> shown;
  for (const Series& one : series) {
    for (const FigurePoint& point : one.points) shown.push_back(point.*along);
  }
  if (asked.scale != AxisScale::linear) return log_axis(asked.label, shown, asked.scale);
  if (along == &FigurePoint::y) shown.push_back(0.0);
  return linear_axis(asked.label, shown);
}

std::string csv_of_series(const std::vector<Series>& series) {
  Table table{.columns = data_columns({"series", "x", "y"})};
  for (const Series& one : series) {
    for (const FigurePoint& point : one.points) {
      table.rows.push_back({name_of(one), point.x, point.y});
    }
  }
  return csv_of(table);
}

/// Takes a line that describes the figure and is no series of it.
bool take_words(const SourceLine& line, Drawing& drawing, const LessonValues& values) {
  for (const auto& [key, axis] : {std::pair{"x", &drawing.figure.x}, {"y", &drawing.figure.y}}) {
    if (const auto label = behind(line, key)) axis->label = *label;
    if (const auto label = behind(line, std::string(key) + " log")) {
      axis->label = *label;
      axis->scale = AxisScale::log10;
    }
    if (!axis->label.empty() && line.text.ends_with(": " + axis->label)) return true;
  }
  if (const auto text = behind(line, "title")) {
    drawing.figure.title = values.filled(*text, line.where);
  } else if (const auto words = behind(line, "caption")) {
    drawing.caption = values.filled(*words, line.where);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Drawing drawing_of(const std::string& stem, const std::vector<SourceLine>& lines,
                   const LessonValues& values) {
  Drawing drawing{.figure = {}, .caption = "", .stem = stem, .csv = ""};
  Figure& figure = drawing.figure;
  figure.name = stem;
  for (const SourceLine& line : lines) {
    if (take_words(line, drawing, values)) continue;
    const bool dots = line.text.starts_with("dots ");
    if (!dots && !line.text.starts_with("line ")) {
      throw InputError(line.where, "expected title, caption, x, y, line NAME or dots NAME, got " +
                                       support::in_quotes(line.text));
    }
    figure.series.push_back(series_of(line, dots, figure.series.size(), values));
  }
  figure.x = axis_of(figure.x, figure.series, &FigurePoint::x);
  figure.y = axis_of(figure.y, figure.series, &FigurePoint::y);
  drawing.csv = csv_of_series(figure.series);
  return drawing;
}

Table points_table(const Drawing& drawing) {
  const Figure& figure = drawing.figure;
  Table table{.columns = {{.key = "series", .heading = "series"},
                          {.key = "x", .heading = figure.x.label, .show = Show::scaled},
                          {.key = "y", .heading = figure.y.label, .show = Show::scaled}}};
  for (const Series& one : figure.series) {
    for (const FigurePoint& point : one.points) {
      table.rows.push_back({name_of(one), point.x, point.y});
    }
  }
  return table;
}

}  // namespace cubicbench::results
