#include "results/validation/error_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

/// Smaller errors are drawn at the left end of the axis, which has no zero.
constexpr double error_min = 0.001;
constexpr double error_max = 10.0;

/// A point a row, or a hundred where there are more.
std::vector<FigurePoint> distribution_of(const std::vector<const ValidatedRow*>& rows) {
  std::vector<double> errors = time_errors(rows);
  std::ranges::sort(errors);
  constexpr std::size_t points_max = 100;
  const std::size_t points = std::min(errors.size(), points_max);
  std::vector<FigurePoint> line;
  for (std::size_t i = 1; i <= points; ++i) {
    const std::size_t at = i * errors.size() / points - 1;  // the last of its hundredth
    line.push_back({std::clamp(errors[at], error_min, error_max),
                    static_cast<double>(at + 1) / static_cast<double>(errors.size())});
  }
  return line;
}

}  // namespace

Figure error_figure(const std::vector<SourceRows>& sources, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = "share of rows whose simulated step time is off by less than so much";
  figure.x = {.label = "error of the simulated time, share of the measured",
              .min = error_min,
              .max = error_max,
              .scale = AxisScale::log10,
              .ticks = {0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 10.0}};
  figure.y = {.label = "share of rows", .min = 0.0, .max = 1.0};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<FigurePoint> line = distribution_of(sources[i].rows);
    if (line.empty()) continue;
    const SeriesLook look = look_of(i);
    figure.series.push_back(
        {.title = sources[i].source + " (" + grouped(time_errors(sources[i].rows).size()) + ")",
         .style = line.size() < 8 ? SeriesStyle::marked_line : SeriesStyle::line,
         .color = look.color,
         .dash = look.dash,
         .mark = look.mark,
         .points = std::move(line)});
  }
  figure.levels = {{0.5, "median"}, {0.9, "90 %"}};
  if (figure.series.empty()) figure.message = "no timed row";
  return figure;
}

std::string error_csv(const std::vector<SourceRows>& sources) {
  std::string text =
      support::csv_record(std::array<std::string, 3>{"source", "share_of_rows", "abs_rel_error"});
  for (const SourceRows& of : sources) {
    std::vector<double> errors = time_errors(of.rows);
    std::ranges::sort(errors);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double share = static_cast<double>(i + 1) / static_cast<double>(errors.size());
      text += support::csv_record(std::array<std::string, 3>{of.source, support::shortest(share),
                                                             support::shortest(errors[i])});
    }
  }
  return text;
}

}  // namespace cubicbench::results
