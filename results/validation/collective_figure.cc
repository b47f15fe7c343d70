#include "results/validation/collective_figure.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "results/document/series_look.h"
#include "results/validation/row_errors.h"
#include "sim/base/numeric.h"
#include "support/csv.h"
#include "support/json/canonical.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// Ratios of an operation by the power of two at or below their size.
using Octaves = std::map<double, std::vector<double>>;

std::map<std::string, Octaves> ratios_of(const Validation& validation) {
  std::map<std::string, Octaves> all;
  for (const ValidatedRow& row : validation.rows) {
    const std::optional<double> ratio = time_ratio(row);
    if (row.kind != RowKind::collective || !ratio || !(row.size_bytes >= 1.0)) continue;
    int exponent = 0;
    std::frexp(row.size_bytes, &exponent);  // size in [1/2, 1) times 2^exponent
    all[row.collective][std::ldexp(1.0, exponent - 1)].push_back(*ratio);
  }
  return all;
}

}  // namespace

Figure collective_figure(const Validation& validation, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = "simulated over measured time of collectives by size";
  std::vector<double> sizes;
  std::vector<double> ratios{0.5, 2.0};
  std::size_t look = 0;
  for (const auto& [collective, octaves] : ratios_of(validation)) {
    Series series{.title = collective,
                  .style = SeriesStyle::marked_line,
                  .color = look_of(look).color,
                  .dash = look_of(look).dash,
                  .mark = look_of(look).mark,
                  .size = 0.6,
                  .points = {}};
    ++look;
    for (const auto& [size, of] : octaves) {
      series.points.push_back({size, support::median(of)});
      sizes.push_back(size);
      ratios.push_back(series.points.back().y);
    }
    figure.series.push_back(std::move(series));
  }
  figure.x = log_axis("size, bytes", sizes, AxisScale::log10);
  figure.y = log_axis("simulated / measured time, median", ratios, AxisScale::log10);
  figure.levels = {{1.0, "equal"}};
  if (figure.series.empty()) figure.message = "no collective was timed";
  return figure;
}

std::string collective_csv(const Validation& validation) {
  using support::shortest;
  std::string text = support::csv_record(std::array<std::string, 6>{
      "collective", "size_bytes", "rows", "ratio_q25", "ratio_median", "ratio_q75"});
  for (const auto& [collective, octaves] : ratios_of(validation)) {
    for (const auto& [size, of] : octaves) {
      text += support::csv_record(std::array<std::string, 6>{
          collective, shortest(size), std::to_string(of.size()),
          shortest(support::quantile(of, 0.25)), shortest(support::median(of)),
          shortest(support::quantile(of, 0.75))});
    }
  }
  return text;
}

}  // namespace cubicbench::results
