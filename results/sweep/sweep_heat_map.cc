#include "results/sweep/sweep_heat_map.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "results/document/csv.h"
#include "results/document/heat_map.h"
#include "results/document/number_text.h"
#include "results/sweep/failure_look.h"
#include "results/sweep/sweep_document.h"
#include "results/sweep/sweep_figure.h"
#include "search/finished/study_truth.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t values_max = 100;

/// Amounts of points, as cells have and show them.
struct Measure {
  std::function<std::optional<double>(const SweepPoint& point)> amount;
  std::function<std::string(const SweepPoint& point)> mark;
  std::function<std::string(double amount)> text;
};

bool runs(const SweepPoint& point) { return point.objective.has_value(); }

Measure objective_of(const Sweep& sweep) {
  return {.amount = [](const SweepPoint& point) { return point.objective; },
          .mark =
              [&sweep](const SweepPoint& point) {
                return runs(point) ? objective_number(sweep, *point.objective)
                                   : std::string(look_of(point.reason).word);
              },
          .text = [&sweep](double amount) { return objective_number(sweep, amount); }};
}

/// Of what does not fit a cell has the number, too, but no colour.
Measure memory_of_points() {
  const auto text = [](double bytes) { return fixed(bytes / sim::bytes_per_gib, 1); };
  return {.amount = [](const SweepPoint& point) -> std::optional<double> {
            return runs(point) ? point.memory_bytes : std::nullopt;
          },
          .mark =
              [text](const SweepPoint& point) {
                return point.memory_bytes ? text(*point.memory_bytes)
                                          : std::string(look_of(point.reason).word);
              },
          .text = text};
}

std::string words_of(const Sweep& sweep, const std::vector<std::size_t>& axes, std::size_t number,
                     const std::string& mark) {
  const SweepPoint& point = sweep.points[number];
  std::string words = settings_text(sweep, axes, number) + ": " + mark;
  if (!runs(point)) words += ", " + std::string(look_of(point.reason).phrase);
  return words;
}

/// All but the title.
HeatMap map_of(const Sweep& sweep, const std::vector<std::size_t>& axes, const Measure& measure) {
  const SweepAxis& down = sweep.asked.axes[axes[0]];
  const SweepAxis& across = sweep.asked.axes[axes[1]];
  HeatMap map{.title = {},
              .across = across.name,
              .down = down.name,
              .columns = across.values,
              .rows = down.values,
              .cells = std::vector<HeatCell>(sweep.points.size())};
  const std::optional<std::size_t> best = best_point(sweep);
  std::vector<double> amounts;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const std::vector<std::size_t> places = places_of(sweep.asked.axes, i);
    const SweepPoint& point = sweep.points[i];
    const std::string mark = measure.mark(point);
    map.cells[places[axes[0]] * across.values.size() + places[axes[1]]] = {
        .amount = measure.amount(point),
        .mark = mark,
        .words = words_of(sweep, axes, i, mark),
        .is_best = best == i};
    if (const auto amount = measure.amount(point)) amounts.push_back(*amount);
    if (!runs(point)) map.hatched = "does not run";
  }
  if (amounts.empty()) return map;
  const auto [least, most] = std::ranges::minmax(amounts);
  map.least = measure.text(least);
  map.most = measure.text(most);
  return map;
}

Picture picture_of(const Sweep& sweep, HeatMap map, const std::string& what, std::string title,
                   std::string caption) {
  map.title = std::move(title);
  map.description = caption;
  return {.svg = heat_map_svg(map),
          .label = map.title,
          .caption = std::move(caption),
          .stem = stem_of(sweep.scenario, what),
          .csv = csv_of(point_table(sweep))};
}

}  // namespace

std::vector<Picture> sweep_heat_maps(const Sweep& sweep) {
  const std::vector<std::size_t> axes = varying_axes(sweep);
  if (axes.size() != 2) return {};
  for (const std::size_t axis : axes) {
    if (sweep.asked.axes[axis].values.size() > values_max) return {};
  }
  const std::string of_cells =
      "Hatched points do not run. Opened by itself, the picture names the cell under the "
      "pointer.";
  std::vector<Picture> pictures{
      picture_of(sweep, map_of(sweep, axes, objective_of(sweep)), "objective",
                 sweep.scenario + ": " + search::measure_of(sweep.objective),
                 "Noise-free objective of every point. The frame marks the best. " + of_cells)};
  const bool has_memory = std::ranges::any_of(
      sweep.points, [](const SweepPoint& point) { return point.memory_bytes.has_value(); });
  if (!has_memory) return pictures;
  pictures.push_back(picture_of(sweep, map_of(sweep, axes, memory_of_points()), "memory",
                                sweep.scenario + ": memory that must fit, GiB",
                                "Memory of the rank that needs most. The frame marks the "
                                "best objective; a number in "
                                "a hatched cell is the memory that the point would need. " +
                                    of_cells));
  return pictures;
}

}  // namespace cubicbench::results
