#include "results/validation/validation_sections.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "sim/base/numeric.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using datasets::Exclusion;
using datasets::InSample;

/// Any but the tables that ship.
bool has_own_sources(const Summaries& summaries) {
  return std::ranges::any_of(summaries.sources, [](const auto& of) {
    return datasets::find_in_sample(datasets::in_samples().sources, of.first) == nullptr;
  });
}

std::string fitted_to(const std::vector<InSample>& among, const std::string& name) {
  const InSample* const found = datasets::find_in_sample(among, name);
  return found == nullptr ? "" : std::string(name_of(found->fitted));
}

std::vector<NamedSummary> source_lines(const Summaries& summaries, bool Summary::*is_of_kind,
                                       const char* all_name, const Summary& all) {
  std::vector<NamedSummary> lines;
  for (const auto& [name, of] : summaries.sources) {
    if (!(of.*is_of_kind)) continue;
    lines.push_back({name, fitted_to(datasets::in_samples().sources, name), &of});
  }
  const auto rows = [](const Summary& of) { return of.rows + of.skipped; };
  const bool is_repeated = lines.size() == 1 && rows(*lines.front().of) == rows(all);
  if (!lines.empty() && !is_repeated) lines.push_back({all_name, "", &all});
  return lines;
}

constexpr std::size_t groups_shown = 25;

/// The least tau first; the table of the CSV has them as they first appear.
void add_groups(std::vector<RankedGroup> groups, Document& document) {
  Table table = table_of<RankedGroup>(groups, group_fields());
  const std::string csv = csv_of(table);
  if (!groups.empty()) {
    std::ranges::stable_sort(groups, {}, &RankedGroup::tau);
    table = table_of<RankedGroup>(groups, group_fields());
    table.shown = groups_shown;
    document.add(Heading{.text = "Group by group", .level = 3}, Media::html);
    document.add(std::move(table), Media::html);
  }
  document.add(Links{{{{"groups.csv", csv}, "Groups as CSV"}}});
}

constexpr std::size_t reasons_shown = 40;

/// "nccl (32), points (98)"; of one source its name alone.
std::string sources_text(RowSpan rows) {
  std::map<std::string, std::int64_t> sources;
  for (const ValidatedRow* row : rows) ++sources[row->source];
  if (sources.size() == 1) return sources.begin()->first;
  std::vector<std::string> texts;
  for (const auto& [source, count] : sources) {
    texts.push_back(source + " (" + grouped(count) + ")");
  }
  return support::joined(texts, ", ");
}

/// The most frequent reason first. Reasons that differ only after their first colon are one.
Table skipped_table(const Validation& validation) {
  std::vector<NamedRows> reasons =
      rows_by(all_rows(validation.skipped),
              [](const ValidatedRow& row) { return row.reason.substr(0, row.reason.find(": ")); });
  std::ranges::sort(reasons, {}, [](const NamedRows& of) {
    return std::pair(-std::ssize(of.rows), std::string_view(of.name));
  });
  Table table{.columns = {{"reason", "reason"},
                          {"rows", "rows", Show::count},
                          {"sources", "sources"},
                          {"first", "such as"}},
              .shown = reasons_shown};
  for (const auto& [reason, rows] : reasons) {
    table.rows.push_back({reason, rows.size(), sources_text(rows), rows.front()->id});
  }
  return table;
}

Table excluded_table(const datasets::ExcludedRows& of) {
  return {.columns = {{"why", "not wanted"}, {"rows", "rows", Show::count}},
          .rows = {{"fails a check of its own consistency (flag)", of[Exclusion::flag]},
                   {"untuned run", of[Exclusion::untuned]},
                   {"a stated need, not a run (requirement)", of[Exclusion::requirement]},
                   {"failed for another reason than memory", of[Exclusion::other]},
                   {"of a GPU that is not named, or between experts", of[Exclusion::unnamed]},
                   {"the same result again", of[Exclusion::duplicate]}}};
}

constexpr double cells = 70.0;  ///< a side: a mark each

Series band_of(const Axis& axis) {
  constexpr double low = 1.0 - agreement_band;
  constexpr double high = 1.0 + agreement_band;
  return {.title = "10 % to either side",
          .style = SeriesStyle::band,
          .color = "#606060",
          .points = {{axis.min, axis.min * low, axis.min * high},
                     {axis.max, axis.max * low, axis.max * high}}};
}

Series diagonal_of(const Axis& axis) {
  return {.title = "simulated = measured",
          .style = SeriesStyle::line,
          .color = "#606060",
          .dash = 2,
          .width = 1.2,
          .points = {{axis.min, axis.min}, {axis.max, axis.max}}};
}

/// The first of the points in each cell of a mark's size.
std::vector<FigurePoint> thinned(const std::vector<FigurePoint>& points, const Axis& axis) {
  const double step = sim::log(axis.max / axis.min) / cells;
  const auto cell_of = [&](double value) {
    return static_cast<std::int64_t>(std::floor(sim::log(value / axis.min) / step));
  };
  std::set<std::pair<std::int64_t, std::int64_t>> taken;
  std::vector<FigurePoint> kept;
  for (const FigurePoint& point : points) {
    if (taken.emplace(cell_of(point.x), cell_of(point.y)).second) kept.push_back(point);
  }
  return kept;
}

}  // namespace

std::vector<NamedSummary> run_lines(const Summaries& summaries) {
  return source_lines(summaries, &Summary::has_runs, "all runs", summaries.runs);
}

std::vector<NamedSummary> collective_lines(const Summaries& summaries) {
  return source_lines(summaries, &Summary::has_collectives, "all collectives",
                      summaries.collectives);
}

std::vector<NamedSummary> part_lines(const Summaries& summaries) {
  const bool own = has_own_sources(summaries);
  std::vector<NamedSummary> lines;
  for (const auto& [name, of] : summaries.parts) {
    lines.push_back({name, own ? "" : fitted_to(datasets::in_samples().parts, name), &of});
  }
  return lines;
}

std::vector<NamedRows> sources_of(const Validation& validation, bool collectives) {
  std::vector<NamedRows> sources = rows_by(all_rows(validation.rows), &ValidatedRow::source);
  std::erase_if(
      sources, [&](const NamedRows& of) { return is_collective(*of.rows.front()) != collectives; });
  return sources;
}

std::vector<std::string> in_sample_lines(const Summaries& summaries) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<InSample>& among, const auto& shown) {
    for (const auto& [name, summary] : shown) {
      const InSample* const found = datasets::find_in_sample(among, name);
      if (found == nullptr) continue;
      lines.push_back(name + ": " + std::string(name_of(found->fitted)) + ", " + found->why);
    }
  };
  add(datasets::in_samples().sources, summaries.sources);
  if (!has_own_sources(summaries)) add(datasets::in_samples().parts, summaries.parts);
  return lines;
}

void add_ranks(const Validation& validation, const Summaries& summaries, Document& document) {
  if (!summaries.overall.has_runs) return;
  const Table table = summary_table(SummaryTable::ranks, "source", run_lines(summaries));
  document.add(Heading{"Which run is faster", "ranking"});
  if (table.rows.empty()) document.add(Paragraph{"No group has five timed rows."});
  document.add(table);
  document.add(summary_table(SummaryTable::ranks, "part", part_lines(summaries)));
  if (!table.rows.empty()) document.add(Paragraph{help_text(table)});
  add_groups(ranked_groups(all_rows(validation.rows)), document);
}

void add_left_out(const Validation& validation, Document& document) {
  document.add(Heading{"What is not covered", "skipped"});
  if (!validation.skipped.empty()) {
    document.add(Paragraph{"Rows that are wanted and cannot be simulated, by reason."});
    document.add(skipped_table(validation));
  }
  document.add(
      Links{{{{"skipped.csv", csv_of(table_of<ValidatedRow>(validation.skipped, skipped_fields()))},
              "Every skipped row as CSV"}}});
  document.add(excluded_table(validation.excluded));
}

Figure agreement_figure(const std::string& name, const std::string& quantity,
                        std::vector<Series> marks) {
  std::vector<double> values;
  for (const Series& of : marks) {
    for (const FigurePoint& point : of.points) values.insert(values.end(), {point.x, point.y});
  }
  Figure figure;
  figure.name = name;
  figure.shape = FigureShape::square;
  figure.x = log_axis("measured " + quantity, values, AxisScale::log10);
  figure.y = figure.x;
  figure.y.label = "simulated " + quantity;
  figure.series = {band_of(figure.x), diagonal_of(figure.x)};
  for (Series& of : marks) {
    if (of.points.empty()) continue;
    of.style = SeriesStyle::dots;
    of.points = thinned(of.points, figure.x);
    figure.series.push_back(std::move(of));
  }
  return figure;
}

}  // namespace cubicbench::results
