#include "results/landscape/landscape_figure.h"

#include <utility>
#include <vector>

#include "results/document/axis_unit.h"
#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "search/finished/study_truth.h"
#include "sim/base/check.h"

namespace cubicbench::results {

Drawing distribution_drawing(const AskedLandscape& of, const std::string& stem) {
  const datasets::Landscape& landscape = of.landscape;
  SIM_ASSERT(!landscape.hundredths.empty(), of.scenario.name);
  const bool maximize = of.scenario.objective.direction == scenarios::Direction::maximize;
  Figure figure;
  figure.name = stem;
  figure.title = of.scenario.name + ": objective of configurations that run, sorted";
  figure.x = {.label = "share of configurations that run, from the worst to the best", .max = 1.0};
  const double greatest = landscape.hundredths.back();
  const AxisUnit unit = axis_unit(greatest);
  std::vector<double> shown;
  for (const double value : landscape.hundredths) shown.push_back(value / unit.size);
  const auto level = [&](double value, const std::string& label) {
    shown.push_back(value / unit.size);
    figure.levels.push_back({value / unit.size, label});
  };
  level(landscape.median(), "median");
  if (of.baseline.reason == scenarios::Reason::none) level(of.baseline.value, "baseline");
  if (landscape.best_known) level(landscape.best_known->value, "best known");
  figure.y =
      log_axis(search::measure_of(of.scenario.objective) + unit.ending, shown, AxisScale::log10);
  Series curve{.color = "#0072B2", .width = 2.5};
  Table table{.columns = data_columns({"share", "value"})};
  const std::size_t last = landscape.hundredths.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const double value = landscape.hundredths[maximize ? i : last - i];
    const double share = static_cast<double>(i) / static_cast<double>(last);
    curve.points.push_back({share, value / unit.size});
    table.rows.push_back({share, value});
  }
  figure.series.push_back(std::move(curve));
  return {.figure = std::move(figure),
          .caption = "Noise-free objective of the " + grouped(landscape.running()) + " of " +
                     grouped(landscape.rows) +
                     " configurations that run, sorted. Where the curve is flat the choice hardly "
                     "matters; the gap between its right end and the best known is what a climb "
                     "adds to a random draw. The axis is logarithmic.",
          .stem = stem,
          .csv = csv_of(table)};
}

}  // namespace cubicbench::results
