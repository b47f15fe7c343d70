#include "results/validation/summary.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

ErrorSummary error_summary(const std::vector<double>& errors) {
  return {.n = std::ssize(errors),
          .median = support::median_if_any(errors),
          .p90 = support::quantile_if_any(errors, 0.9)};
}

/// Median error of the timed rows of each value of `key`: many runs of one party weigh no more than
/// one of another.
std::vector<double> medians_by(RowSpan rows, std::string ValidatedRow::*key) {
  std::map<std::string_view, std::vector<double>> errors;
  for (const ValidatedRow* row : rows) {
    if (const auto error = time_error(*row)) errors[row->*key].push_back(*error);
  }
  std::vector<double> medians;
  for (const auto& [name, of] : errors) medians.push_back(support::median(of));
  return medians;
}

void add_sizes(RowSpan rows, Summary& summary) {
  std::array<RowPointers, 3> of_class;
  for (const ValidatedRow* row : rows_where(rows, datasets::is_collective)) {
    of_class[datasets::size_class_of(row->size_bytes)].push_back(row);
  }
  for (std::size_t i = 0; i < of_class.size(); ++i) {
    summary.by_size[i] = error_summary(medians_by(of_class[i], &ValidatedRow::group));
  }
}

void add_time(RowSpan rows, Summary& summary) {
  std::set<std::string_view> families;
  for (const ValidatedRow* row : rows) families.insert(row->family);
  const std::vector<double> errors = values_of(rows, datasets::time_error);
  summary.n = std::ssize(errors);
  summary.families = std::ssize(families);
  summary.median_abs_rel_error = support::median_if_any(errors);
  summary.mean_abs_rel_error = support::mean_if_any(errors);
  summary.p90_abs_rel_error = support::quantile_if_any(errors, 0.9);
  summary.bias = support::median_if_any(
      values_of(rows, [](const ValidatedRow& row) { return row.rel_error; }));
  summary.median_family_abs_rel_error =
      support::median_if_any(medians_by(rows, &ValidatedRow::family));
  summary.median_source_abs_rel_error =
      support::median_if_any(medians_by(rows, &ValidatedRow::source));
  summary.hung = std::ssize(rows_where(rows, datasets::is_hung));
}

using NamedSets = std::map<std::string, RowPointers>;

std::map<std::string, Summary> summaries_of(const NamedSets& sets) {
  std::map<std::string, Summary> summaries;
  for (const auto& [name, rows] : sets) summaries.emplace(name, summary_of(rows));
  return summaries;
}

}  // namespace

bool Summary::has_sizes() const {
  return std::ranges::any_of(by_size, [](const ErrorSummary& of) { return of.n > 0; });
}

Summary summary_of(RowSpan wanted) {
  const RowPointers rows =
      rows_where(wanted, [](const ValidatedRow& row) { return row.reason.empty(); });
  const auto collectives = std::ssize(rows_where(wanted, datasets::is_collective));
  Summary summary;
  summary.has_runs = collectives < std::ssize(wanted);
  summary.has_collectives = collectives > 0;
  summary.rows = std::ssize(rows);
  summary.skipped = std::ssize(wanted) - summary.rows;
  if (!wanted.empty()) {
    summary.coverage = static_cast<double>(summary.rows) / static_cast<double>(wanted.size());
  }
  add_time(rows, summary);
  summary.ranks = rank_agreement(rows);
  summary.oom = oom_verdicts(rows);
  summary.memory = error_summary(values_of(rows, datasets::peak_error));
  summary.static_state = error_summary(values_of(rows, datasets::static_error));
  add_sizes(rows, summary);
  return summary;
}

Summaries summaries_of(const Validation& validation) {
  RowPointers all = all_rows(validation.rows);
  std::ranges::copy(all_rows(validation.skipped), std::back_inserter(all));
  NamedSets sources;
  NamedSets parts;
  NamedSets families;
  for (const ValidatedRow* row : all) {
    sources[row->source].push_back(row);
    families[row->family].push_back(row);
    for (const std::string& part : row->parts) parts[part].push_back(row);
  }
  return {.overall = summary_of(all),
          .runs = summary_of(rows_where(all, datasets::is_run)),
          .collectives = summary_of(rows_where(all, datasets::is_collective)),
          .sources = summaries_of(sources),
          .parts = summaries_of(parts),
          .families = summaries_of(families)};
}

}  // namespace cubicbench::results
