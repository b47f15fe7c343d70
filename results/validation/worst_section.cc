#include <algorithm>
#include <functional>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/simulation/part_names.h"
#include "results/validation/validation_sections.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t rows_shown = 20;

sim::StepPart part_at(std::size_t i) { return static_cast<sim::StepPart>(i); }

/// What parts of a step wait for has a colour each.
std::string color_of(std::string_view resource) {
  std::vector<std::string_view> resources;
  for (std::size_t i = 0; i < sim::step_part_count; ++i) {
    const std::string_view name = resource_of(part_at(i));
    if (std::ranges::find(resources, name) == resources.end()) resources.push_back(name);
  }
  const auto at = std::ranges::find(resources, resource) - resources.begin();
  return look_of(static_cast<std::size_t>(at)).color;
}

/// Where the simulated step goes, without what rounds to nothing; in words its three largest parts.
ShareBar bar_of(const ValidatedRow& row) {
  double sum = 0.0;
  for (const sim::Seconds part : row.breakdown) sum += part.value;
  ShareBar bar;
  for (std::size_t i = 0; i < row.breakdown.size() && sum > 0.0; ++i) {
    const double share = row.breakdown[i].value / sum;
    if (share < 0.0005) continue;
    const std::string resource(resource_of(part_at(i)));
    bar.parts.push_back({std::string(label_of(part_at(i))), resource, color_of(resource), share});
  }
  std::ranges::stable_sort(bar.parts, std::greater{}, &ShareBar::Part::share);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min<std::size_t>(bar.parts.size(), 3); ++i) {
    words.push_back(bar.parts[i].label + " " + percent(bar.parts[i].share));
  }
  bar.words = support::joined(words, ", ");
  return bar;
}

RowPointers worst_rows(const Validation& validation, std::size_t most) {
  RowPointers rows = rows_where(all_rows(validation.rows),
                                [](const auto& row) { return is_run(row) && time_factor(row); });
  std::ranges::stable_sort(rows, std::greater{},
                           [](const ValidatedRow* row) { return *time_factor(*row); });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

/// The rows with their times, for people a bar of where the simulated step goes, and for CSV the
/// seconds of its parts.
Table worst_table(const RowPointers& rows) {
  Table more{.columns = {{"ratio", "ratio", Show::fixed3, "", "simulated over measured time"},
                         {"hung", "hung", Show::text, "", "slower than three times the simulation"},
                         not_in_csv({"shares", "where the simulated step goes"})}};
  for (std::size_t i = 0; i < sim::step_part_count; ++i) {
    more.columns.push_back({std::string(name_of(part_at(i))) + "_s", ""});
  }
  for (const ValidatedRow* row : rows) {
    std::vector<Cell>& cells = more.rows.emplace_back();
    cells = {time_ratio(*row), is_hung(*row), bar_of(*row)};
    for (const sim::Seconds part : row->breakdown) cells.emplace_back(part.value);
  }
  return beside(chosen(table_of<ValidatedRow>(rows, row_fields()),
                       {"id", "source", "group", "step_time_s_measured", "step_time_s_simulated"}),
                more);
}

/// Sources with runs that hung: how many, and how slow.
Table hung_table(const Validation& validation) {
  Table table{.columns = {{"source", "source"},
                          {"hung", "slower than three times", Show::count},
                          {"timed", "of timed runs", Show::count},
                          {"median", "median: times slower", Show::fixed1},
                          {"max", "slowest: times slower", Show::fixed1}}};
  std::vector<NamedRows> sources =
      rows_by(worst_rows(validation, validation.rows.size()), &ValidatedRow::source);
  std::ranges::sort(sources, {}, &NamedRows::name);
  for (const NamedRows& of : sources) {
    std::vector<double> slower;
    for (const ValidatedRow* row : rows_where(of.rows, datasets::is_hung)) {
      slower.push_back(1.0 / *time_ratio(*row));
    }
    if (slower.empty()) continue;
    table.rows.push_back({of.name, slower.size(), of.rows.size(), support::median(slower),
                          std::ranges::max(slower)});
  }
  return table;
}

std::string hung_sentences(const Summaries& summaries) {
  const bool tiny = summaries.sources.contains("megatron_core_ci_golden");
  return grouped(summaries.runs.hung) + " of the " +
         counted(summaries.runs.n, "timed run", "timed runs") +
         " took more than three times as long as simulated. Some of these jobs hung or starved; "
         "others ran in a slow state of the network, or the simulator itself is wrong" +
         (tiny ? " (the tiny models of Megatron-Core's tests)" : "") +
         ". They count in every figure here, and are listed apart.";
}

void add_hung(const Validation& validation, const Summaries& summaries, Document& document) {
  const RowPointers hung =
      rows_where(worst_rows(validation, validation.rows.size()), datasets::is_hung);
  const Table rows = worst_table(hung);
  const Media media = hung.empty() ? Media::html : Media::everywhere;
  document.add(Heading{"Slower than three times the simulation", "hung"}, media);
  if (hung.empty()) {
    document.add(Paragraph{"No run took more than three times as long as simulated."}, media);
  } else {
    document.add(Paragraph{hung_sentences(summaries)});
    document.add(hung_table(validation));
    Table first =
        chosen(rows, {"id", "source", "step_time_s_measured", "step_time_s_simulated", "ratio"});
    first.shown = rows_shown;
    document.add(std::move(first));
  }
  document.add(Links{{{{"hung.csv", csv_of(rows)}, "All of them as CSV"}}});
}

}  // namespace

void add_worst(const Validation& validation, const Summaries& summaries, Document& document) {
  if (summaries.runs.n == 0) return;
  const Table rows = worst_table(worst_rows(validation, rows_shown));
  document.add(Heading{"The worst rows", "worst"}, Media::html);
  document.add(
      Paragraph{"The " + std::to_string(rows.rows.size()) +
                " timed runs that the simulator is furthest off on, either way. The ratio is "
                "simulated over measured; hung marks those slower than three times the simulation. "
                "Colours say what a part of the step waits for; beside each bar are its three "
                "largest parts."},
      Media::html);
  document.add(rows, Media::html);
  document.add(
      Links{{{{"worst.csv", csv_of(rows)}, "These rows with the seconds of every part as CSV"}}});
  add_hung(validation, summaries, document);
}

}  // namespace cubicbench::results
