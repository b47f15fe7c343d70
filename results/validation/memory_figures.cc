#include "results/validation/memory_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/validation/agreement.h"
#include "results/validation/row_errors.h"
#include "sim/memory/oom_probability.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr double bins_per_limit = 20.0;
constexpr std::size_t bins = 30;
constexpr double filled_max = bins / bins_per_limit;

bool has_peak(const ValidatedRow& row) { return memory_error(row).has_value(); }

/// Runs whose simulated demand lies between two multiples of `bin` of the limit.
struct Verdicts {
  std::int64_t rows = 0;
  std::int64_t failed = 0;
  double share() const { return static_cast<double>(failed) / static_cast<double>(rows); }
};

bool failed(const ValidatedRow& row) {
  return row.kind == RowKind::run && row.status_measured == datasets::MeasurementStatus::oom;
}

/// Those that publish failures: of successes alone no share can be read.
std::set<std::string> sources_with_failures(const Validation& validation) {
  std::set<std::string> sources;
  for (const ValidatedRow& row : validation.rows) {
    if (failed(row)) sources.insert(row.source);
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
    of.failed += failed(row) ? 1 : 0;
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

}  // namespace

Figure peaks_figure(const Validation& validation, const std::string& name) {
  std::vector<double> peaks;
  for (const ValidatedRow& row : validation.rows) {
    if (!has_peak(row)) continue;
    peaks.push_back(*row.memory.peak_measured);
    peaks.push_back(*row.memory.peak_simulated);
  }
  Figure figure;
  figure.name = name;
  figure.width = 720;
  figure.title = "simulated against measured peak memory";
  figure.x = log_axis("measured peak, GiB", peaks, AxisScale::log10);
  figure.y = figure.x;
  figure.y.label = "simulated peak, GiB";
  figure.series = agreement_lines(figure.x);
  std::size_t look = 0;
  for (const SourceRows& source : by_source(validation)) {
    Thinned thinned(figure.x);
    Series marks{.title = "",
                 .style = SeriesStyle::dots,
                 .color = look_of(look).color,
                 .mark = look_of(look).mark,
                 .points = {}};
    std::uint64_t rows = 0;
    for (const ValidatedRow* row : source.rows) {
      if (!has_peak(*row)) continue;
      ++rows;
      thinned.add(*row->memory.peak_measured, *row->memory.peak_simulated, marks.points);
    }
    if (rows == 0) continue;
    marks.title = source.source + " (" + grouped(rows) + ")";
    figure.series.push_back(std::move(marks));
    ++look;
  }
  if (peaks.empty()) figure.message = "no peak was measured";
  return figure;
}

std::string peaks_csv(const Validation& validation) {
  std::string text = support::csv_record(std::array<std::string, 5>{
      "source", "id", "mem_kind", "peak_mem_gib_measured", "peak_mem_gib_simulated"});
  for (const ValidatedRow& row : validation.rows) {
    if (!has_peak(row)) continue;
    text += support::csv_record(std::array<std::string, 5>{row.source, row.id, row.memory.kind,
                                                           shortest(*row.memory.peak_measured),
                                                           shortest(*row.memory.peak_simulated)});
  }
  return text;
}

Figure verdicts_figure(const Validation& validation, const std::string& name) {
  const std::array<Verdicts, bins> verdicts = verdicts_of(validation);
  Figure figure;
  figure.name = name;
  figure.width = 720;
  figure.title = "share of runs out of memory by simulated demand over limit";
  figure.x = {.label = "simulated demand over limit", .min = 0.0, .max = filled_max};
  figure.y = {.label = "share out of memory", .min = 0.0, .max = 1.0};
  Series marks{.title = "runs that were out of memory",
               .style = SeriesStyle::marked_line,
               .color = look_of(0).color,
               .mark = look_of(0).mark,
               .points = {}};
  for (std::size_t i = 0; i < bins; ++i) {
    if (verdicts[i].rows > 0) marks.points.push_back({middle_of(i), verdicts[i].share()});
  }
  if (marks.points.empty()) {
    figure.message = "no source tells of runs out of memory";
    return figure;
  }
  figure.series = {probability_line(), std::move(marks)};
  return figure;
}

std::string verdicts_csv(const Validation& validation) {
  const std::array<Verdicts, bins> verdicts = verdicts_of(validation);
  std::string text = support::csv_record(
      std::array<std::string, 6>{"demand_over_limit_from", "demand_over_limit_to", "rows", "oom",
                                 "share_oom", "oom_probability"});
  for (std::size_t i = 0; i < bins; ++i) {
    const Verdicts& of = verdicts[i];
    if (of.rows == 0) continue;
    const auto from = static_cast<double>(i);
    text += support::csv_record(std::array<std::string, 6>{
        shortest(filled_at(from)), i + 1 == bins ? "" : shortest(filled_at(from + 1.0)),
        std::to_string(of.rows), std::to_string(of.failed), shortest(of.share()),
        shortest(probability_at(middle_of(i)))});
  }
  return text;
}

}  // namespace cubicbench::results
