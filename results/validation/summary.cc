#include "results/validation/summary.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "results/validation/quantiles.h"

namespace cubicbench::results {
namespace {

/// Rows of one set: those that were simulated, and how many more were wanted.
struct Selection {
  RowPointers rows;
  std::int64_t skipped = 0;
  bool has_runs = false, has_collectives = false;

  void add(const ValidatedRow& row) {
    (row.kind == RowKind::collective ? has_collectives : has_runs) = true;
    if (row.reason.empty()) {
      rows.push_back(&row);
    } else {
      ++skipped;
    }
  }
};

ErrorSummary error_summary(const std::vector<double>& errors) {
  return {.n = std::ssize(errors), .median = median(errors), .p90 = quantile_if_any(errors, 0.9)};
}

/// Of the rows of which `error` says something.
ErrorSummary error_summary(RowSpan rows, std::optional<double> (*error)(const ValidatedRow&)) {
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    if (const auto of = error(*row)) errors.push_back(*of);
  }
  return error_summary(errors);
}

/// Median error of the timed rows of each value of `key`: many runs of one party weigh no more than
/// one of another.
std::vector<double> medians_by(RowSpan rows, std::string ValidatedRow::*key) {
  std::map<std::string_view, RowPointers> rows_of;
  for (const ValidatedRow* row : rows) rows_of[row->*key].push_back(row);
  std::vector<double> medians;
  for (const auto& [name, of] : rows_of) {
    if (const auto error = median(time_errors(of))) medians.push_back(*error);
  }
  return medians;
}

std::size_t size_class_of(double size_bytes) {
  constexpr double mebibyte = 0x1p20;
  if (size_bytes < mebibyte) return 0;
  return size_bytes < 64.0 * mebibyte ? 1 : 2;
}

void add_sizes(RowSpan rows, Summary& summary) {
  std::array<RowPointers, 3> of_class;
  for (const ValidatedRow* row : rows) {
    if (row->kind == RowKind::collective) of_class[size_class_of(row->size_bytes)].push_back(row);
  }
  for (std::size_t i = 0; i < of_class.size(); ++i) {
    summary.by_size[i] = error_summary(medians_by(of_class[i], &ValidatedRow::group));
  }
}

void add_time(RowSpan rows, Summary& summary) {
  std::set<std::string_view> families;
  std::vector<double> signed_errors;
  for (const ValidatedRow* row : rows) {
    families.insert(row->family);
    if (row->rel_error) signed_errors.push_back(*row->rel_error);
  }
  const std::vector<double> errors = time_errors(rows);
  summary.n = std::ssize(errors);
  summary.families = std::ssize(families);
  summary.median_abs_rel_error = median(errors);
  summary.mean_abs_rel_error = mean(errors);
  summary.p90_abs_rel_error = quantile_if_any(errors, 0.9);
  summary.bias = median(std::move(signed_errors));
  summary.median_family_abs_rel_error = median(medians_by(rows, &ValidatedRow::family));
  summary.median_source_abs_rel_error = median(medians_by(rows, &ValidatedRow::source));
  summary.hung = std::ranges::count_if(rows, [](const ValidatedRow* row) { return is_hung(*row); });
}

Summary summary_of(const Selection& of) {
  Summary summary;
  summary.has_runs = of.has_runs;
  summary.has_collectives = of.has_collectives;
  summary.rows = std::ssize(of.rows);
  summary.skipped = of.skipped;
  if (summary.rows + summary.skipped > 0) {
    summary.coverage =
        static_cast<double>(summary.rows) / static_cast<double>(summary.rows + summary.skipped);
  }
  add_time(of.rows, summary);
  summary.ranks = rank_agreement(of.rows);
  summary.oom = oom_verdicts(of.rows);
  summary.memory = error_summary(of.rows, peak_error);
  summary.static_state = error_summary(of.rows, static_error);
  add_sizes(of.rows, summary);
  return summary;
}

/// Every set that rows are summed up in.
struct Selections {
  Selection all, runs, collectives;
  std::map<std::string, Selection> sources, parts, families;

  void add(const ValidatedRow& row) {
    all.add(row);
    (row.kind == RowKind::collective ? collectives : runs).add(row);
    sources[row.source].add(row);
    families[row.family].add(row);
    for (const std::string& part : row.parts) parts[part].add(row);
  }
};

std::map<std::string, Summary> summaries_of(const std::map<std::string, Selection>& selections) {
  std::map<std::string, Summary> summaries;
  for (const auto& [name, selection] : selections) summaries.emplace(name, summary_of(selection));
  return summaries;
}

}  // namespace

bool Summary::has_sizes() const {
  return std::ranges::any_of(by_size, [](const ErrorSummary& of) { return of.n > 0; });
}

Summary summary_of(const RowPointers& rows) { return summary_of(Selection{.rows = rows}); }

Summaries summaries_of(const Validation& validation) {
  Selections selections;
  for (const ValidatedRow& row : validation.rows) selections.add(row);
  for (const ValidatedRow& row : validation.skipped) selections.add(row);
  return {.overall = summary_of(selections.all),
          .runs = summary_of(selections.runs),
          .collectives = summary_of(selections.collectives),
          .sources = summaries_of(selections.sources),
          .parts = summaries_of(selections.parts),
          .families = summaries_of(selections.families)};
}

}  // namespace cubicbench::results
