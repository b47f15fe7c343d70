#include <cmath>
#include <map>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/validation_sections.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// Ratios of an operation by the power of two at or below their size.
using Octaves = std::map<double, std::vector<double>>;

std::map<std::string, Octaves> ratios_of(const Validation& validation) {
  std::map<std::string, Octaves> all;
  for (const ValidatedRow& row : validation.rows) {
    const std::optional<double> ratio = time_ratio(row);
    if (row.kind != datasets::RowKind::collective || !ratio || !(row.size_bytes >= 1.0)) continue;
    int exponent = 0;
    std::frexp(row.size_bytes, &exponent);  // size in [1/2, 1) times 2^exponent
    all[row.collective][std::ldexp(1.0, exponent - 1)].push_back(*ratio);
  }
  return all;
}

Drawing collective_drawing(const Validation& validation) {
  Figure figure;
  figure.name = "sizes";
  figure.title = "simulated over measured time of collectives by size";
  Table table{.columns = data_columns(
                  {"collective", "size_bytes", "rows", "ratio_q25", "ratio_median", "ratio_q75"})};
  std::vector<double> sizes;
  std::vector<double> ratios{0.5, 2.0};
  for (const auto& [collective, octaves] : ratios_of(validation)) {
    const SeriesLook look = look_of(figure.series.size());
    Series series{.title = collective,
                  .style = SeriesStyle::marked_line,
                  .color = look.color,
                  .dash = look.dash,
                  .mark = look.mark,
                  .size = 0.6};
    for (const auto& [size, of] : octaves) {
      const double median = support::median(of);
      series.points.push_back({size, median});
      sizes.push_back(size);
      ratios.push_back(median);
      table.rows.push_back({collective, size, of.size(), support::quantile(of, 0.25), median,
                            support::quantile(of, 0.75)});
    }
    figure.series.push_back(std::move(series));
  }
  figure.x = log_axis("size, bytes", sizes, AxisScale::log10);
  figure.y = log_axis("simulated / measured time, median", ratios, AxisScale::log10);
  figure.levels = {{1.0, "equal"}};
  if (figure.series.empty()) figure.message = "no collective was timed";
  return {.figure = std::move(figure),
          .caption =
              "Median of simulated over measured time of each operation, at sizes up to "
              "twice as large as the mark's; above the line the simulator is too slow.",
          .stem = "sizes",
          .csv = csv_of(table)};
}

constexpr std::size_t crossovers_shown = 20;

std::string crossovers_sentence(const std::vector<Crossover>& crossovers) {
  const datasets::CrossoverSummary summary = summary_of(crossovers);
  return "The size above which bandwidth dominates latency: where two lines that fit a curve "
         "cross, measured, and simulated at the same sizes. Of " +
         grouped(crossovers.size()) + " measured curves with two regimes, " +
         percent(*summary.within) + " are simulated to change within a factor " +
         fixed(datasets::crossover_factor, 0) + "; the median factor is " +
         (summary.median_factor ? fixed(*summary.median_factor, 1) : "not known") + ".";
}

void add_crossovers(const std::vector<Crossover>& crossovers, Document& document) {
  if (crossovers.empty()) return;
  const std::string csv = csv_of(table_of<Crossover>(crossovers, crossover_fields()));
  const Table table = table_of<Crossover>(worst_first(crossovers), crossover_fields());
  Table first =
      chosen(table, {"system", "collective", "n_gpus", "measured_mib", "simulated_mib", "factor"});
  first.shown = crossovers_shown;
  document.add(Heading{.text = "From latency to bandwidth", .level = 3});
  document.add(Paragraph{crossovers_sentence(crossovers)});
  document.add(std::move(first), Media::terminal);
  document.add(table, Media::written);
  document.add(Links{{{{"crossovers.csv", csv}, "Crossovers as CSV"}}});
}

}  // namespace

void add_collectives(const Validation& validation, const Summaries& summaries, Document& document) {
  if (!summaries.overall.has_collectives) return;
  const std::vector<NamedSummary> lines = collective_lines(summaries);
  document.add(Heading{"Collectives", "collectives"});
  document.add(summary_table(SummaryTable::times, "source", lines));
  document.add(summary_table(SummaryTable::sizes, "source", lines));
  document.add(
      Paragraph{"One row is one message size of one operation. By size, the median and the 90th "
                "percentile are over groups (system, operation, number of GPUs) of the group's "
                "median error."});
  document.add(collective_drawing(validation));
  document.add(error_drawing(sources_of(validation, true), "collective-errors"));
  add_crossovers(crossovers_of(validation), document);
}

}  // namespace cubicbench::results
