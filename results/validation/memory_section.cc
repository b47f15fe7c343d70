#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/validation_sections.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::results {
namespace {

constexpr double bins_per_limit = 20.0;
constexpr std::size_t bins = 30;
constexpr double filled_max = bins / bins_per_limit;

/// By multiples of the bins' width at or below its simulated demand over limit, whether each run
/// failed. Only of sources that publish failures: of successes alone no share can be read.
std::map<std::size_t, std::vector<bool>> verdicts_of(const Validation& validation) {
  const RowPointers runs = rows_where(all_rows(validation.rows), [](const ValidatedRow& row) {
    return row.kind == datasets::RowKind::run;
  });
  std::map<std::size_t, std::vector<bool>> verdicts;
  for (const NamedRows& source : rows_by(runs, &ValidatedRow::source)) {
    if (rows_where(source.rows, datasets::failed).empty()) continue;
    for (const ValidatedRow* row : source.rows) {
      const datasets::ValidatedMemory& memory = row->memory;
      if (!memory.demand || !(memory.limit.value_or(0.0) > 0.0)) continue;
      const double at = std::floor(bins_per_limit * *memory.demand / *memory.limit);
      verdicts[static_cast<std::size_t>(std::min(at, bins - 1.0))].push_back(failed(*row));
    }
  }
  return verdicts;
}

/// Demand over limit at `at` bins.
double filled_at(double at) { return at / bins_per_limit; }

/// Of a run that needs `filled` of the limit.
double probability_at(double filled) {
  sim::MemoryReport memory;
  memory.capacity = sim::Bytes{1.0};
  memory.demand = sim::Bytes{filled};
  return sim::oom_probability(memory);
}

Series probability_line() {
  Series line{.title = "probability that is simulated",
              .style = SeriesStyle::line,
              .color = "#606060",
              .dash = 2};
  constexpr int points = 150;
  for (int i = 0; i <= points; ++i) {
    const double filled = filled_max * i / points;
    line.points.push_back({filled, probability_at(filled)});
  }
  return line;
}

Drawing peaks_drawing(const Validation& validation) {
  const RowPointers rows = rows_where(all_rows(validation.rows),
                                      [](const auto& row) { return peak_error(row).has_value(); });
  std::vector<Series> marks;
  for (const NamedRows& source : rows_by(rows, &ValidatedRow::source)) {
    const SeriesLook look = look_of(marks.size());
    Series& of =
        marks.emplace_back(Series{.title = source.name + " (" + grouped(source.rows.size()) + ")",
                                  .color = look.color,
                                  .mark = look.mark});
    for (const ValidatedRow* row : source.rows) {
      of.points.push_back({*row->memory.peak_measured, *row->memory.peak_simulated});
    }
  }
  Figure figure = agreement_figure("memory-peaks", "peak, GiB", std::move(marks));
  figure.title = "simulated against measured peak memory";
  if (rows.empty()) figure.message = "no peak was measured";
  return {.figure = std::move(figure),
          .caption =
              "A mark is a run; the shaded band is 10 % to either side of the dashed line on "
              "which both are equal. Each is of the kind and the rank that its source logs. "
              "Where marks of a source would cover one another, one is drawn.",
          .stem = "memory-peaks",
          .csv = csv_of(chosen(
              table_of<ValidatedRow>(rows, row_fields()),
              {"source", "id", "mem_kind", "peak_mem_gib_measured", "peak_mem_gib_simulated"}))};
}

Drawing verdicts_drawing(const Validation& validation) {
  Figure figure;
  figure.name = "memory-verdicts";
  figure.title = "share of runs out of memory by simulated demand over limit";
  figure.x = {.label = "simulated demand over limit", .min = 0.0, .max = filled_max};
  figure.y = {.label = "share out of memory", .min = 0.0, .max = 1.0};
  Series marks{.title = "runs that were out of memory",
               .style = SeriesStyle::marked_line,
               .color = look_of(0).color,
               .mark = look_of(0).mark};
  Table table{.columns = data_columns({"demand_over_limit_from", "demand_over_limit_to", "rows",
                                       "oom", "share_oom", "oom_probability"})};
  for (const auto& [i, of] : verdicts_of(validation)) {
    const auto from = static_cast<double>(i);
    const double middle = filled_at(from + 0.5);
    const auto oom = std::ranges::count(of, true);
    const double share = static_cast<double>(oom) / static_cast<double>(of.size());
    marks.points.push_back({middle, share});
    table.rows.push_back({filled_at(from), i + 1 == bins ? Cell() : Cell(filled_at(from + 1.0)),
                          of.size(), oom, share, probability_at(middle)});
  }
  if (marks.points.empty()) {
    figure.message = "no source tells of runs out of memory";
  } else {
    figure.series = {probability_line(), std::move(marks)};
  }
  return {.figure = std::move(figure),
          .caption =
              "Runs by how much of the memory that their GPUs have the simulator says they "
              "need, a mark for each twentieth. Only sources that report runs out of memory "
              "count: of successes alone no share can be read. Demands of more than one and "
              "a half times the limit stand at the right end.",
          .stem = "memory-verdicts",
          .csv = csv_of(table)};
}

}  // namespace

void add_memory(const Validation& validation, const Summaries& summaries, Document& document) {
  const Table verdicts = summary_table(SummaryTable::verdicts, "source", run_lines(summaries));
  const Table errors = summary_table(SummaryTable::memory, "source", run_lines(summaries));
  if (verdicts.rows.empty() && errors.rows.empty()) return;
  const std::vector<MemoryLadder> ladders = memory_ladders(all_rows(validation.rows));
  document.add(Heading{"Memory", "memory"});
  document.add(verdicts);
  document.add(
      Paragraph{"The verdict on a run is the demand of its fullest stage against the "
                "limit of the device. " +
                help_text(verdicts)});
  document.add(Paragraph{"Of " + counted(ladders.size(), "ladder", "ladders") + ", " +
                         grouped(std::ranges::count_if(ladders, &MemoryLadder::right)) +
                         " have both edges right."});
  document.add(Links{{{{"ladders.csv", csv_of(table_of<MemoryLadder>(ladders, ladder_fields()))},
                       "Ladders as CSV"}}});
  document.add(verdicts_drawing(validation));
  document.add(errors);
  if (!errors.rows.empty()) {
    document.add(
        Paragraph{"Peak memory is of the kind (reserved, allocated, of the whole device) and of "
                  "the rank that the source logs. " +
                  help_text(errors)});
  }
  document.add(peaks_drawing(validation));
}

}  // namespace cubicbench::results
