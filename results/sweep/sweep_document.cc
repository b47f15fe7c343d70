#include "results/sweep/sweep_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "results/simulation/shown_problem.h"
#include "results/sweep/failure_look.h"
#include "results/sweep/sweep_figure.h"
#include "results/sweep/sweep_heat_map.h"
#include "scenarios/readers/objective_reader.h"
#include "scenarios/readers/override.h"
#include "search/finished/study_truth.h"
#include "sim/base/binary_sizes.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using Axes = std::vector<std::size_t>;

/// Columns of a grid that a terminal has room for.
constexpr std::size_t grid_columns_max = 8;
/// Rows that people see at first.
constexpr std::size_t failures_shown = 6;
constexpr std::size_t points_shown = 200;

const std::string& value_of(const Sweep& sweep, std::size_t axis, std::size_t number) {
  const SweepAxis& of = sweep.asked.axes[axis];
  return of.values[places_of(sweep.asked.axes, number)[axis]];
}

/// Numbers stand to the right.
Show show_of(const SweepAxis& axis) {
  const bool numbers = std::ranges::all_of(axis.values, [&](const std::string& value) {
    return scenarios::value_written(axis.name + "=" + value).is_number();
  });
  return numbers ? Show::figure : Show::text;
}

std::optional<double> gib_of(const std::optional<double>& bytes) {
  return bytes ? std::optional(*bytes / sim::bytes_per_gib) : std::nullopt;
}

/// What bounds the step, or why there is none.
std::string bound_or_why(const SweepPoint& point) {
  if (!point.objective) {
    return std::string(look_of(point.reason).phrase) + ": " + point.why;
  }
  return std::string(label_of(*point.bound_by));
}

std::string head_of(const Sweep& sweep) {
  const Axes varying = varying_axes(sweep);
  Axes fixed;
  for (std::size_t i = 0; i < sweep.asked.axes.size(); ++i) {
    if (std::ranges::find(varying, i) == varying.end()) fixed.push_back(i);
  }
  std::string text = sweep.scenario;
  if (sweep.asked.instance != 0) text += ", instance " + std::to_string(sweep.asked.instance);
  text += ": " + (varying.size() == 1 ? grouped(sweep.points.size()) + " values"
                                      : counted(sweep.points.size(), "point", "points"));
  if (varying.size() == 1) text += " of " + sweep.asked.axes[varying.front()].name;
  if (varying.size() > 1) {
    text += " of " + support::joined(varying, " x ", [&](std::size_t axis) {
              const SweepAxis& of = sweep.asked.axes[axis];
              return of.name + " (" + grouped(of.values.size()) + ")";
            });
  }
  if (!fixed.empty()) text += ", all with " + settings_text(sweep, fixed, 0);
  return text + ". " + objective_sentence(sweep.objective);
}

/// "9 of 32 do not run: 7 out of memory, 2 invalid."
std::string failures_sentence(const Sweep& sweep) {
  std::vector<std::string> kinds;
  std::size_t failed = 0;
  for (const FailureLook& look : failure_looks()) {
    const auto count = std::ranges::count(sweep.points, look.reason, &SweepPoint::reason);
    if (count == 0) continue;
    failed += static_cast<std::size_t>(count);
    kinds.push_back(grouped(count) + " " + std::string(look.phrase));
  }
  if (failed == 0) return sweep.points.size() == 1 ? "" : "All points run.";
  return grouped(failed) + " of " + counted(sweep.points.size(), "point", "points") +
         (failed == 1 ? " does" : " do") + " not run: " + support::joined(kinds, ", ") + ".";
}

std::string best_sentence(const Sweep& sweep, std::size_t best) {
  const SweepPoint& point = sweep.points[best];
  Axes axes = varying_axes(sweep);
  const std::string which =
      axes.empty() ? "The point has " : "Best: " + settings_text(sweep, axes, best) + ", with ";
  std::string text = which + metric_text(sweep.objective, *point.objective) + ", " +
                     duration(sim::Seconds{*point.step_time_s}) + " a step and " +
                     percent(*point.mfu) + " MFU, bound by " +
                     std::string(label_of(*point.bound_by));
  return text.ends_with('.') ? text : text + ".";
}

std::string best_command(const Sweep& sweep, const AskedProblem& problem, std::size_t best) {
  std::vector<std::pair<std::string, std::string>> changes;
  for (std::size_t i = 0; i < sweep.asked.axes.size(); ++i) {
    changes.emplace_back(sweep.asked.axes[i].name, value_of(sweep, i, best));
  }
  return simulate_command(problem, changes) + (sweep.asked.play ? " --engine event" : "");
}

/// A row per point, as people read it.
Table list_table(const Sweep& sweep) {
  const Axes axes = varying_axes(sweep);
  Table table;
  for (const std::size_t axis : axes) {
    const SweepAxis& of = sweep.asked.axes[axis];
    table.columns.push_back({of.name, of.name, show_of(of)});
  }
  const bool is_time = sweep.objective.metric == scenarios::Metric::step_time_s;
  const bool more = sweep.objective.direction == scenarios::Direction::maximize;
  table.columns.push_back({"step_time_s", "step time", Show::duration});
  table.columns.push_back({.key = "objective",
                           .heading = search::measure_of(sweep.objective),
                           .show = is_time ? Show::duration
                                   : sweep.objective.metric == scenarios::Metric::mfu
                                       ? Show::percent
                                       : Show::scaled,
                           .best = more ? Best::greatest : Best::least});
  table.columns.push_back({"mfu", "MFU", Show::percent});
  table.columns.push_back({"memory_gib", "memory (GiB)", Show::fixed2});
  table.columns.push_back({"bound_by", "bound by, or why it does not run"});
  table.shown = points_shown;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    std::vector<Cell> row;
    for (const std::size_t axis : axes) row.push_back(value_of(sweep, axis, i));
    row.insert(row.end(), {point.step_time_s, point.objective, point.mfu,
                           gib_of(point.memory_bytes), bound_or_why(point)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Down and across; nothing where two axes do not vary, or no row would fit.
std::optional<std::pair<std::size_t, std::size_t>> grid_axes(const Sweep& sweep) {
  const Axes axes = varying_axes(sweep);
  if (axes.size() != 2) return std::nullopt;
  const auto fits = [&](std::size_t axis) {
    return sweep.asked.axes[axis].values.size() <= grid_columns_max;
  };
  if (fits(axes[1])) return std::pair(axes[0], axes[1]);
  if (fits(axes[0])) return std::pair(axes[1], axes[0]);
  return std::nullopt;
}

/// The objective, or in a word why there is none.
Table grid_table(const Sweep& sweep, std::size_t down, std::size_t across) {
  const SweepAxis& rows = sweep.asked.axes[down];
  const SweepAxis& columns = sweep.asked.axes[across];
  Table table{.columns = {{rows.name, rows.name, show_of(rows)}}};
  for (const std::string& value : columns.values) {
    table.columns.push_back({columns.name + "=" + value, value, Show::figure});
  }
  table.rows.resize(rows.values.size());
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    table.rows[i].resize(table.columns.size());
    table.rows[i].front() = rows.values[i];
  }
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    const std::vector<std::size_t> places = places_of(sweep.asked.axes, i);
    table.rows[places[down]][1 + places[across]] = point.objective
                                                       ? objective_number(sweep, *point.objective)
                                                       : std::string(look_of(point.reason).word);
  }
  return table;
}

std::string grid_sentence(const Sweep& sweep, std::size_t down, std::size_t across) {
  return "Objective, " + search::measure_of(sweep.objective) + ": " + sweep.asked.axes[down].name +
         " down, " + sweep.asked.axes[across].name + " across.";
}

Table failure_table(const Sweep& sweep) {
  const Axes axes = varying_axes(sweep);
  Table table;
  for (const std::size_t axis : axes) {
    const SweepAxis& of = sweep.asked.axes[axis];
    table.columns.push_back({of.name, of.name, show_of(of)});
  }
  table.columns.push_back({"why", "why it does not run"});
  table.shown = failures_shown;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (sweep.points[i].objective) continue;
    std::vector<Cell> row;
    for (const std::size_t axis : axes) row.push_back(value_of(sweep, axis, i));
    row.emplace_back(bound_or_why(sweep.points[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_best(const Sweep& sweep, const AskedProblem& problem, Document& document) {
  const std::optional<std::size_t> best = best_point(sweep);
  document.add(Paragraph{failures_sentence(sweep)});
  if (!best) return;
  document.add(Paragraph{best_sentence(sweep, *best)});
  document.add(Command{best_command(sweep, problem, *best)});
}

/// What the grid has no room to say.
void add_failures(const Sweep& sweep, Document& document) {
  const Table failures = failure_table(sweep);
  if (failures.rows.empty()) return;
  document.add(Heading{.text = "What does not run", .id = "failures"}, Media::written);
  document.add(failures);
}

void add_figures(const Sweep& sweep, Document& document) {
  const std::vector<Picture> maps = sweep_heat_maps(sweep);
  const std::vector<Drawing> lines = maps.empty() ? sweep_drawings(sweep) : std::vector<Drawing>();
  if (maps.empty() && lines.empty()) return;
  document.add(Heading{.text = "Figures", .id = "figures"}, Media::html);
  for (const Picture& map : maps) document.add(map, Media::html);
  for (const Drawing& drawing : lines) document.add(drawing, Media::html);
}

Json axes_json(const Sweep& sweep) {
  Json axes = Json::array();
  for (const SweepAxis& axis : sweep.asked.axes) {
    Json values = Json::array();
    for (const std::string& value : axis.values) {
      values.push_back(scenarios::value_written(axis.name + "=" + value));
    }
    axes.push_back({{"name", axis.name}, {"values", std::move(values)}});
  }
  return axes;
}

/// `axes` are those of the document, whose values are typed.
Json point_json(const Sweep& sweep, const Json& axes, std::size_t number) {
  const std::vector<std::size_t> places = places_of(sweep.asked.axes, number);
  Json set = Json::object();
  for (std::size_t i = 0; i < places.size(); ++i) {
    set[sweep.asked.axes[i].name] = axes[i]["values"][places[i]];
  }
  const SweepPoint& point = sweep.points[number];
  const auto whole = [](const std::optional<double>& bytes) {
    return bytes ? Json(static_cast<std::int64_t>(*bytes)) : Json();
  };
  return {{"set", std::move(set)},
          {"status", point.status},
          {"why", json_of(Cell::or_null(point.why))},
          {"in_space", point.in_space},
          {"step_time_s", json_of(Cell(point.step_time_s))},
          {"objective", json_of(Cell(point.objective))},
          {"mfu", json_of(Cell(point.mfu))},
          {"bound_by", point.bound_by ? Json(name_of(*point.bound_by)) : Json()},
          {"memory_bytes", whole(point.memory_bytes)},
          {"capacity_bytes", whole(point.capacity_bytes)}};
}

}  // namespace

std::string objective_number(const Sweep& sweep, double value) {
  if (sweep.objective.metric == scenarios::Metric::mfu) return percent(value);
  if (sweep.objective.metric == scenarios::Metric::step_time_s) {
    return duration(sim::Seconds{value});
  }
  return scaled(value);
}

std::vector<std::size_t> varying_axes(const Sweep& sweep) {
  Axes axes;
  for (std::size_t i = 0; i < sweep.asked.axes.size(); ++i) {
    if (sweep.asked.axes[i].values.size() > 1) axes.push_back(i);
  }
  return axes;
}

std::string settings_text(const Sweep& sweep, const Axes& axes, std::size_t number) {
  return support::joined(axes, " ", [&](std::size_t axis) {
    return sweep.asked.axes[axis].name + "=" + value_of(sweep, axis, number);
  });
}

Table point_table(const Sweep& sweep) {
  Table table;
  for (const SweepAxis& axis : sweep.asked.axes) table.columns.push_back({axis.name, ""});
  for (const char* const key : {"status", "reason", "in_space", "step_time_s", "objective", "mfu",
                                "bound_by", "memory_bytes", "capacity_bytes", "why"}) {
    table.columns.push_back({key, ""});
  }
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    std::vector<Cell> row;
    for (std::size_t axis = 0; axis < sweep.asked.axes.size(); ++axis) {
      row.push_back(value_of(sweep, axis, i));
    }
    const bool runs = point.reason == scenarios::Reason::none;
    row.insert(row.end(), {point.status, runs ? Cell() : Cell(name_of(point.reason)),
                           point.in_space, point.step_time_s, point.objective, point.mfu,
                           point.bound_by ? Cell(name_of(*point.bound_by)) : Cell(),
                           point.memory_bytes, point.capacity_bytes, Cell::or_null(point.why)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Document sweep_document(const Sweep& sweep, const AskedProblem& problem,
                        const std::string& command) {
  Document document;
  if (!command.empty()) {
    document.title = "A sweep of " + sweep.scenario;
    document.contents = true;
  }
  document.add(Paragraph{head_of(sweep)});
  const auto grid = grid_axes(sweep);
  if (grid) document.add(Paragraph{grid_sentence(sweep, grid->first, grid->second)});
  document.add(grid ? grid_table(sweep, grid->first, grid->second) : list_table(sweep));
  add_best(sweep, problem, document);
  if (!command.empty()) add_figures(sweep, document);
  if (grid) {
    add_failures(sweep, document);
    document.add(Folded{.summary = "Every point", .blocks = {{list_table(sweep), Media::html}}},
                 Media::html);
  }
  if (!command.empty()) {
    document.add(Heading{.text = "How this page was made", .id = "origin"}, Media::html);
    document.add(Command{command}, Media::html);
  }
  return document;
}

Json sweep_json(const Sweep& sweep) {
  Json document = support::new_document("sweep");
  document["scenario"] = sweep.scenario;
  document["scenario_sha256"] = sweep.scenario_sha256;
  document["instance"] = sweep.asked.instance;
  if (!sweep.salt_sha256.empty()) document["salt_sha256"] = sweep.salt_sha256;
  document["engine"] = sweep.asked.play ? "event" : "analytical";
  document["objective"] = scenarios::objective_json(sweep.objective);
  const Json axes = axes_json(sweep);
  document["axes"] = axes;
  Json points = Json::array();
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    points.push_back(point_json(sweep, axes, i));
  }
  document["points"] = std::move(points);
  return document;
}

}  // namespace cubicbench::results
