#include "results/enumeration/enumeration_figures.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "results/document/axis_unit.h"
#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "search/finished/study_truth.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using datasets::BestOfK;
using datasets::BestQuantiles;
using datasets::Enumeration;

constexpr const char* random_color = "#6B7280";

/// The level of the optimum, or of what is known of it, and that of the baseline.
void add_levels(const Enumeration& of, Figure& figure) {
  if (of.optimum && of.optimum->count > 0) {
    figure.levels.push_back({of.optimum->value, of.optimum->certified ? "optimum" : "best found"});
  }
  if (of.baseline.value) figure.levels.push_back({*of.baseline.value, "baseline"});
}

/// Everything on the y axis in millions or thousands where it is large; then the axis.
template <typename MakeAxis>
void scale_y(const Enumeration& of, Figure& figure, MakeAxis make) {
  std::vector<double*> values;
  for (Level& level : figure.levels) values.push_back(&level.y);
  for (Series& series : figure.series) {
    for (FigurePoint& point : series.points) {
      values.push_back(&point.y);
      if (series.style == SeriesStyle::band) values.push_back(&point.y_high);
    }
  }
  double greatest = 0.0;
  for (const double* const value : values) greatest = std::max(greatest, *value);
  const AxisUnit unit = axis_unit(greatest);
  std::vector<double> shown;
  for (double* const value : values) shown.push_back(*value /= unit.size);
  figure.y = make(search::measure_of(of.objective) + unit.ending, shown);
}

/// The middle part of all random searches, between hairlines that say which share is below them.
void add_part(const Enumeration& of, double BestQuantiles::*low, double BestQuantiles::*high,
              const char* low_label, const char* high_label, Figure& figure) {
  Series band{.style = SeriesStyle::band, .color = random_color};
  Series below{.label = low_label, .color = random_color, .width = 0.8};
  Series above{.label = high_label, .color = random_color, .width = 0.8};
  for (const BestOfK& best : of.best_of_k) {
    if (!best.without_quantiles) continue;
    const auto k = static_cast<double>(best.k);
    const double least = (*best.without_quantiles).*low;
    const double most = (*best.without_quantiles).*high;
    band.points.push_back({k, least, most});
    below.points.push_back({k, least});
    above.points.push_back({k, most});
  }
  if (band.points.empty()) return;
  for (Series* const series : {&band, &below, &above}) figure.series.push_back(std::move(*series));
}

std::string random_csv(const Enumeration& of) {
  Table table{.columns = data_columns({"k", "mean", "p05", "p25", "p75", "p95"})};
  for (const BestOfK& best : of.best_of_k) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row = {best.k, best.without_replacement};
    for (const auto part :
         {&BestQuantiles::p05, &BestQuantiles::p25, &BestQuantiles::p75, &BestQuantiles::p95}) {
      row.push_back(best.without_quantiles ? Cell((*best.without_quantiles).*part) : Cell());
    }
  }
  return csv_of(table);
}

}  // namespace

Drawing distribution_drawing(const Enumeration& of) {
  SIM_ASSERT(!of.quantiles.empty(), of.scenario);
  constexpr std::size_t step = 8;  // of 4,096 shares the eye sees every eighth
  const bool maximize = of.objective.direction == scenarios::Direction::maximize;
  Figure figure;
  figure.name = "distribution";
  figure.title = of.scenario + ": objective of every configuration that runs, sorted";
  figure.x = {.label = "share of configurations that run, from the worst to the best", .max = 1.0};
  Series curve{.color = "#0072B2", .width = 2.5};
  Table table{.columns = data_columns({"share", "value"})};
  const std::size_t last = of.quantiles.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const double value = of.quantiles[maximize ? i : last - i];
    const double share = static_cast<double>(i) / static_cast<double>(last);
    if (i % step == 0 || i + step > last) curve.points.push_back({share, value});
    table.rows.push_back({share, value});
  }
  figure.series.push_back(std::move(curve));
  add_levels(of, figure);
  figure.levels.push_back({of.quantiles[of.quantiles.size() / 2], "median"});
  scale_y(of, figure, [](std::string label, const std::vector<double>& values) {
    return log_axis(std::move(label), values, AxisScale::log10);
  });
  return {.figure = std::move(figure),
          .caption =
              "Noise-free objective of all configurations that run, sorted. Where the curve "
              "is flat the choice hardly matters; how steep it is at its right end says how "
              "rare good configurations are. The axis is logarithmic.",
          .stem = "distribution",
          .csv = csv_of(table)};
}

Drawing random_drawing(const Enumeration& of) {
  SIM_ASSERT(!of.best_of_k.empty(), of.scenario);
  const auto launches = static_cast<double>(of.best_of_k.back().k);
  Figure figure;
  figure.name = "random";
  figure.title = of.scenario + ": the best of so many random configurations, exactly";
  figure.x = {.label = "number of configurations drawn at random (failed ones count)",
              .max = std::max(2.0, launches)};
  add_part(of, &BestQuantiles::p05, &BestQuantiles::p95, "5 %", "95 %", figure);
  add_part(of, &BestQuantiles::p25, &BestQuantiles::p75, "25 %", "75 %", figure);
  Series mean{.label = "mean", .color = random_color, .dash = 3, .width = 2.5};
  for (const BestOfK& best : of.best_of_k) {
    mean.points.push_back({static_cast<double>(best.k), best.without_replacement});
  }
  figure.series.push_back(std::move(mean));
  add_levels(of, figure);
  scale_y(of, figure, [](std::string label, const std::vector<double>& values) {
    Axis axis = linear_axis(std::move(label), values);
    if (std::ranges::min(values) >= 0.0) axis.min = std::max(axis.min, 0.0);
    return axis;
  });
  return {
      .figure = std::move(figure),
      .caption =
          "The best noise-free objective among so many configurations drawn without "
          "replacement: computed from all values, not sampled. The dotted line, the mean, is what "
          "a search has to beat; hairlines say which share of such searches ends worse. A draw "
          "that "
          "fails counts as " +
          std::string(of.objective.direction == scenarios::Direction::maximize
                          ? "zero."
                          : "the worst value of the space."),
      .stem = "random",
      .csv = random_csv(of)};
}

}  // namespace cubicbench::results
