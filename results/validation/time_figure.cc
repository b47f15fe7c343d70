#include "results/validation/time_figure.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/agreement.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

/// Steps take seconds, collectives microseconds.
struct TimeUnit {
  const char* name;
  double seconds;
};

TimeUnit unit_of(const SourceRows& source) {
  return source.kind == RowKind::collective ? TimeUnit{"us", 1e-6} : TimeUnit{"s", 1.0};
}

bool is_timed(const ValidatedRow& row) { return time_ratio(row).has_value(); }

Series marks_of(const SourceRows& source, const Axis& axis, bool hung) {
  Series series{.title = hung ? "slower than three times" : "rows",
                .style = SeriesStyle::dots,
                .color = look_of(hung ? 1 : 0).color,
                .width = 1.0,
                .mark = hung ? PointMark::full_triangle_down : PointMark::full_circle,
                .size = hung ? 0.7 : 0.5,
                .points = {}};
  Thinned thinned(axis);
  const double unit = unit_of(source).seconds;
  for (const ValidatedRow* row : source.rows) {
    if (!is_timed(*row) || is_hung(*row) != hung) continue;
    thinned.add(*row->step_time_measured / unit, *row->step_time_simulated / unit, series.points);
  }
  return series;
}

}  // namespace

Figure time_figure(const SourceRows& source, const std::string& name) {
  const TimeUnit unit = unit_of(source);
  std::vector<double> times;
  for (const ValidatedRow* row : source.rows) {
    if (!is_timed(*row)) continue;
    times.push_back(*row->step_time_measured / unit.seconds);
    times.push_back(*row->step_time_simulated / unit.seconds);
  }
  Figure figure;
  figure.name = name;
  figure.width = 560;
  figure.title = "simulated against measured time of " + source.source;
  figure.x = log_axis(std::string("measured time, ") + unit.name, times, AxisScale::log10);
  figure.y = figure.x;
  figure.y.label = std::string("simulated time, ") + unit.name;
  figure.series = agreement_lines(figure.x);
  for (const bool hung : {false, true}) {
    Series marks = marks_of(source, figure.x, hung);
    if (!marks.points.empty()) figure.series.push_back(std::move(marks));
  }
  if (times.empty()) figure.message = "no timed row";
  return figure;
}

std::string time_csv(const SourceRows& source) {
  using support::shortest;
  std::string text = support::csv_record(std::array<std::string, 5>{
      "id", "group", "time_s_measured", "time_s_simulated", "rel_error"});
  for (const ValidatedRow* row : source.rows) {
    if (!is_timed(*row)) continue;
    text += support::csv_record(std::array<std::string, 5>{
        row->id, row->group, shortest(*row->step_time_measured),
        shortest(*row->step_time_simulated), row->rel_error ? shortest(*row->rel_error) : ""});
  }
  return text;
}

std::string time_caption(const SourceRows& source) {
  std::uint64_t timed = 0;
  std::uint64_t within = 0;
  std::uint64_t hung = 0;
  for (const ValidatedRow* row : source.rows) {
    if (!is_timed(*row)) continue;
    ++timed;
    within += std::fabs(*time_ratio(*row) - 1.0) <= agreement_band ? 1U : 0U;
    hung += is_hung(*row) ? 1U : 0U;
  }
  std::string text = source.source + ": " + grouped(timed) + (timed == 1 ? " row" : " rows") +
                     ", of which " + grouped(within) + " within 10 %.";
  if (hung > 0)
    text +=
        " Triangles, below the band: " + grouped(hung) + " slower than three times the simulation.";
  return text;
}

}  // namespace cubicbench::results
