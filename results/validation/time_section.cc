#include <algorithm>
#include <cmath>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/validation_sections.h"
#include "support/characters.h"

namespace cubicbench::results {
namespace {

const Field<ValidatedRow> timed_fields[] = {
    {{"id", "row"}, &ValidatedRow::id},
    {{"group", "group"}, &ValidatedRow::group},
    {{"time_s_measured", "measured", Show::duration}, &ValidatedRow::step_time_measured},
    {{"time_s_simulated", "simulated", Show::duration}, &ValidatedRow::step_time_simulated},
    {{"rel_error", "error", Show::signed_percent}, &ValidatedRow::rel_error}};

Series marks_of(const RowPointers& rows, double unit, bool hung) {
  Series marks{.title = hung ? "slower than three times" : "rows",
               .color = look_of(hung ? 1 : 0).color,
               .width = 1.0,
               .mark = hung ? PointMark::full_triangle_down : PointMark::full_circle,
               .size = hung ? 0.7 : 0.5};
  for (const ValidatedRow* row : rows) {
    if (is_hung(*row) != hung) continue;
    marks.points.push_back({*row->step_time_measured / unit, *row->step_time_simulated / unit});
  }
  return marks;
}

std::string caption_of(const RowPointers& timed) {
  const auto within = std::ranges::count_if(timed, [](const ValidatedRow* row) {
    return std::fabs(*time_ratio(*row) - 1.0) <= agreement_band;
  });
  const std::size_t hung = rows_where(timed, datasets::is_hung).size();
  std::string text =
      counted(timed.size(), "row", "rows") + ", of which " + grouped(within) + " within 10 %.";
  if (hung > 0) {
    text +=
        " Triangles, below the band: " + grouped(hung) + " slower than three times the simulation.";
  }
  return text;
}

/// `name` in the name of a file: other characters than letters, digits, '-' and '_' become '-'.
std::string file_text(std::string name) {
  for (char& c : name) {
    if (!support::is_letter(c) && !support::is_digit(c) && c != '_') c = '-';
  }
  return name;
}

/// Smaller errors are drawn at the left end of the axis, which has no zero.
constexpr double error_min = 0.001;
constexpr double error_max = 10.0;

/// A point a row, or a hundred where there are more. Requires `errors` in order.
std::vector<FigurePoint> distribution_of(const std::vector<double>& errors) {
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

Drawing time_drawing(const NamedRows& source, std::size_t number) {
  const RowPointers timed =
      rows_where(source.rows, [](const ValidatedRow& row) { return time_ratio(row).has_value(); });
  // Steps take seconds, collectives microseconds.
  const bool collectives = is_collective(*source.rows.front());
  const double unit = collectives ? 1e-6 : 1.0;
  Figure figure =
      agreement_figure("times-" + std::to_string(number), collectives ? "time, us" : "time, s",
                       {marks_of(timed, unit, false), marks_of(timed, unit, true)});
  figure.title = "simulated against measured time of " + source.name;
  figure.shape = FigureShape::panel;
  if (timed.empty()) figure.message = "no timed row";
  const std::string file = file_text(source.name);
  return {.figure = std::move(figure),
          .heading = source.name,
          .caption = caption_of(timed),
          .stem = "times-" + file + (file == source.name ? "" : "-" + std::to_string(number)),
          .csv = csv_of(table_of<ValidatedRow>(timed, timed_fields))};
}

void add_gallery(const std::vector<NamedRows>& sources, Document& document) {
  if (sources.empty()) return;
  document.add(Heading{"Source by source", "times"}, Media::html);
  document.add(
      Paragraph{"A mark is a row; the shaded band is 10 % to either side of the dashed line on "
                "which both are equal. Where marks would cover one another, one is drawn."},
      Media::html);
  Gallery gallery;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    gallery.drawings.push_back(time_drawing(sources[i], i));
  }
  document.add(std::move(gallery), Media::html);
}

}  // namespace

Drawing error_drawing(const std::vector<NamedRows>& sources, const std::string& stem) {
  Figure figure;
  figure.name = stem;
  figure.title = "share of rows whose simulated step time is off by less than so much";
  figure.x = {.label = "error of the simulated time, share of the measured",
              .min = error_min,
              .max = error_max,
              .scale = AxisScale::log10,
              .ticks = {0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 10.0}};
  figure.y = {.label = "share of rows", .min = 0.0, .max = 1.0};
  Table table{.columns = data_columns({"source", "share_of_rows", "abs_rel_error"})};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<double> errors = values_of(sources[i].rows, datasets::time_error);
    if (errors.empty()) continue;
    std::ranges::sort(errors);
    const SeriesLook look = look_of(i);
    figure.series.push_back(
        {.title = sources[i].name + " (" + grouped(errors.size()) + ")",
         .style = errors.size() < 8 ? SeriesStyle::marked_line : SeriesStyle::line,
         .color = look.color,
         .dash = look.dash,
         .mark = look.mark,
         .points = distribution_of(errors)});
    for (std::size_t row = 0; row < errors.size(); ++row) {
      const double share = static_cast<double>(row + 1) / static_cast<double>(errors.size());
      table.rows.push_back({sources[i].name, share, errors[row]});
    }
  }
  figure.levels = {{0.5, "median"}, {0.9, "90 %"}};
  if (figure.series.empty()) figure.message = "no timed row";
  return {.figure = std::move(figure),
          .caption =
              "Share of rows whose simulated time is off by less than so much, one line per "
              "source with its number of timed rows. Errors below 0.1 % or above tenfold "
              "are drawn at the ends.",
          .stem = stem,
          .csv = csv_of(table)};
}

void add_times(const Validation& validation, const Summaries& summaries, Document& document) {
  const std::vector<std::string> fitted = in_sample_lines(summaries);
  if (!fitted.empty()) {
    document.add(Folded{"What was fitted to which source and part", {{Bullets{fitted}}}},
                 Media::written);
  }
  document.add(Links{{{{"summaries.csv", summaries_csv(summaries)},
                       "Every figure of every source, part and family as CSV"},
                      {{"rows.csv", csv_of(table_of<ValidatedRow>(validation.rows, row_fields()))},
                       "every row as CSV"}}});
  if (summaries.overall.has_runs) {
    const Table table = summary_table(SummaryTable::times, "source", run_lines(summaries));
    document.add(Heading{"Step times by source", "sources"});
    document.add(table);
    document.add(Paragraph{help_text(table)});
    document.add(error_drawing(sources_of(validation, false), "errors"));
  }
  add_gallery(rows_by(all_rows(validation.rows), &ValidatedRow::source), document);
  if (summaries.parts.empty()) return;
  document.add(Heading{"Step times by part", "parts"});
  document.add(summary_table(SummaryTable::times, "part", part_lines(summaries)));
}

}  // namespace cubicbench::results
