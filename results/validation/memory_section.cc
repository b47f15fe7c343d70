#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/agreement.h"
#include "results/validation/row_fields.h"
#include "results/validation/validation_sections.h"
#include "sim/memory/oom_probability.h"

namespace cubicbench::results {
namespace {

constexpr double bins_per_limit = 20.0;
constexpr std::size_t bins = 30;
constexpr double filled_max = bins / bins_per_limit;

/// Runs whose simulated demand lies between two multiples of `bin` of the limit.
struct Verdicts {
  std::int64_t rows = 0;
  std::int64_t failed = 0;
  double share() const { return static_cast<double>(failed) / static_cast<double>(rows); }
};

bool failed_run(const ValidatedRow& row) { return row.kind == RowKind::run && failed(row); }

/// Those that publish failures: of successes alone no share can be read.
std::set<std::string> sources_with_failures(const Validation& validation) {
  std::set<std::string> sources;
  for (const ValidatedRow& row : validation.rows) {
    if (failed_run(row)) sources.insert(row.source);
  }
  return sources;
}

std::array<Verdicts, bins> verdicts_of(const Validation& validation) {
  const std::set<std::string> sources = sources_with_failures(validation);
  std::array<Verdicts, bins> verdicts{};
  for (const ValidatedRow& row : validation.rows) {
    const ValidatedMemory& memory = row.memory;
    if (row.kind != RowKind::run || !memory.demand || !(memory.limit.value_or(0.0) > 0.0)) continue;
    if (!sources.contains(row.source)) continue;
    const double last = static_cast<double>(bins - 1);
    const double at = std::min(last, std::floor(bins_per_limit * *memory.demand / *memory.limit));
    Verdicts& of = verdicts[static_cast<std::size_t>(at)];
    ++of.rows;
    of.failed += failed_run(row) ? 1 : 0;
  }
  return verdicts;
}

/// Demand over limit at `at` bins.
double filled_at(double at) { return at / bins_per_limit; }

double middle_of(std::size_t i) { return filled_at(static_cast<double>(i) + 0.5); }

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
              .dash = 2,
              .points = {}};
  constexpr int points = 150;
  for (int i = 0; i <= points; ++i) {
    const double filled = filled_max * i / points;
    line.points.push_back({filled, probability_at(filled)});
  }
  return line;
}

Drawing peaks_drawing(const Validation& validation) {
  RowPointers rows;
  for (const ValidatedRow& row : validation.rows) {
    if (peak_error(row)) rows.push_back(&row);
  }
  std::vector<AgreementMarks> marks;
  for (const NamedRows& source : rows_by(rows, &ValidatedRow::source)) {
    const SeriesLook look = look_of(marks.size());
    AgreementMarks& of = marks.emplace_back();
    of.series.title = source.name + " (" + grouped(source.rows.size()) + ")";
    of.series.color = look.color;
    of.series.mark = look.mark;
    for (const ValidatedRow* row : source.rows) {
      of.points.push_back({*row->memory.peak_measured, *row->memory.peak_simulated});
    }
  }
  Figure figure = agreement_figure("memory-peaks", "peak, GiB", std::move(marks));
  figure.width = 720;
  figure.title = "simulated against measured peak memory";
  if (rows.empty()) figure.message = "no peak was measured";
  return {.figure = std::move(figure),
          .label = "",
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
  const std::array<Verdicts, bins> verdicts = verdicts_of(validation);
  Figure figure;
  figure.name = "memory-verdicts";
  figure.width = 720;
  figure.title = "share of runs out of memory by simulated demand over limit";
  figure.x = {.label = "simulated demand over limit", .min = 0.0, .max = filled_max};
  figure.y = {.label = "share out of memory", .min = 0.0, .max = 1.0};
  Series marks{.title = "runs that were out of memory",
               .style = SeriesStyle::marked_line,
               .color = look_of(0).color,
               .mark = look_of(0).mark,
               .points = {}};
  Table table{.columns = data_columns({"demand_over_limit_from", "demand_over_limit_to", "rows",
                                       "oom", "share_oom", "oom_probability"})};
  for (std::size_t i = 0; i < bins; ++i) {
    const Verdicts& of = verdicts[i];
    if (of.rows == 0) continue;
    marks.points.push_back({middle_of(i), of.share()});
    const auto from = static_cast<double>(i);
    table.rows.push_back({filled_at(from), i + 1 == bins ? Cell() : Cell(filled_at(from + 1.0)),
                          of.rows, of.failed, of.share(), probability_at(middle_of(i))});
  }
  if (marks.points.empty()) {
    figure.message = "no source tells of runs out of memory";
  } else {
    figure.series = {probability_line(), std::move(marks)};
  }
  return {.figure = std::move(figure),
          .label = "",
          .caption =
              "Runs by how much of the memory that their GPUs have the simulator says they "
              "need, a mark for each twentieth. Only sources that report runs out of memory "
              "count: of successes alone no share can be read. Demands of more than one and "
              "a half times the limit stand at the right end.",
          .stem = "memory-verdicts",
          .csv = csv_of(table)};
}

std::string ladders_sentence(const std::vector<MemoryLadder>& ladders) {
  const auto right = std::ranges::count_if(ladders, &MemoryLadder::right);
  return "Of " + counted(ladders.size(), "ladder", "ladders") + ", " + grouped(right) +
         " have both edges right.";
}

}  // namespace

void add_memory(const Validation& validation, const Summaries& summaries, Document& document) {
  const Table verdicts = summary_table(SummaryTable::verdicts, "source", run_lines(summaries));
  const Table errors = summary_table(SummaryTable::memory, "source", run_lines(summaries));
  if (verdicts.rows.empty() && errors.rows.empty()) return;
  const std::vector<MemoryLadder> ladders = memory_ladders(all_rows(validation));
  document.add(Heading{"Memory", "memory"});
  document.add(verdicts);
  document.add(
      Paragraph{"The verdict on a run is the demand of its fullest stage against the "
                "limit of the device. " +
                help_text(verdicts)});
  document.add(Paragraph{ladders_sentence(ladders)});
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
