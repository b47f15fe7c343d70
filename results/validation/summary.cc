#include "results/validation/summary.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "results/validation/oom_verdicts.h"
#include "results/validation/rank_agreement.h"
#include "results/validation/size_classes.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// The rows of one set, and how many more were wanted.
struct Selection {
  std::vector<const ValidatedRow*> rows;
  std::int64_t skipped = 0;
};

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::fabs(value);
  return values;
}

std::vector<double> time_errors(std::span<const ValidatedRow* const> rows) {
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    if (row->rel_error) errors.push_back(*row->rel_error);
  }
  return errors;
}

/// Median over the values of `key` of the median error of the timed rows that have it: many runs of
/// one party weigh no more than one of another.
std::optional<double> median_of_medians(std::span<const ValidatedRow* const> rows,
                                        std::string ValidatedRow::*key) {
  std::map<std::string_view, std::vector<double>> errors;
  for (const ValidatedRow* row : rows) {
    if (row->rel_error) errors[row->*key].push_back(std::fabs(*row->rel_error));
  }
  std::vector<double> medians;
  for (auto& [name, values] : errors) medians.push_back(support::median(std::move(values)));
  return support::median_if_any(std::move(medians));
}

using MemoryFigure = std::optional<double> ValidatedMemory::*;

/// What a run that ran out of memory logged is where it stopped, not what it needs.
ErrorSummary memory_errors(std::span<const ValidatedRow* const> rows, MemoryFigure measured,
                           MemoryFigure simulated) {
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    const std::optional<double>& truth = row->memory.*measured;
    const std::optional<double>& said = row->memory.*simulated;
    if (row->status_measured == datasets::MeasurementStatus::ok && truth && said) {
      errors.push_back(std::fabs(*said - *truth) / *truth);
    }
  }
  return {.n = static_cast<std::int64_t>(errors.size()),
          .median = support::median_if_any(errors),
          .p90 = support::quantile_if_any(errors, 0.9)};
}

std::int64_t count_families(std::span<const ValidatedRow* const> rows) {
  std::set<std::string_view> families;
  for (const ValidatedRow* row : rows) families.insert(row->family);
  return static_cast<std::int64_t>(families.size());
}

void add_time(std::span<const ValidatedRow* const> rows, Summary& summary) {
  const std::vector<double> errors = time_errors(rows);
  const std::vector<double> sizes = absolute(errors);
  summary.n = static_cast<std::int64_t>(errors.size());
  summary.median_abs_rel_error = support::median_if_any(sizes);
  summary.mean_abs_rel_error = support::mean_if_any(sizes);
  summary.p90_abs_rel_error = support::quantile_if_any(sizes, 0.9);
  summary.bias = support::median_if_any(errors);
  summary.median_family_abs_rel_error = median_of_medians(rows, &ValidatedRow::family);
  summary.median_source_abs_rel_error = median_of_medians(rows, &ValidatedRow::source);
  summary.hung = std::ranges::count_if(rows, [](const ValidatedRow* row) { return is_hung(*row); });
}

void add_ranks(std::span<const ValidatedRow* const> rows, Summary& summary) {
  const RankAgreement agreement = rank_agreement(rows);
  summary.families_ranked = agreement.groups;
  summary.family_kendall_median = agreement.kendall_median;
  summary.pair_kendall_5pct = agreement.pair_kendall_5pct;
  summary.group_top1_share = agreement.top1_share;
  summary.group_top1_ratio = agreement.top1_ratio;
}

Summary summary_of(const Selection& of) {
  Summary summary;
  const auto rows = static_cast<std::int64_t>(of.rows.size());
  if (rows + of.skipped > 0) {
    summary.coverage = static_cast<double>(rows) / static_cast<double>(rows + of.skipped);
  }
  summary.families = count_families(of.rows);
  add_time(of.rows, summary);
  add_ranks(of.rows, summary);
  summary.oom = oom_verdicts(of.rows);
  summary.memory =
      memory_errors(of.rows, &ValidatedMemory::peak_measured, &ValidatedMemory::peak_simulated);
  summary.static_state =
      memory_errors(of.rows, &ValidatedMemory::static_measured, &ValidatedMemory::static_simulated);
  SizeErrors errors = size_errors(of.rows);
  summary.by_size = std::move(errors.median);
  summary.by_size_p90 = std::move(errors.p90);
  return summary;
}

using Selections = std::map<std::string, Selection>;

std::map<std::string, Summary> summaries_of(const Selections& selections) {
  std::map<std::string, Summary> summaries;
  for (const auto& [name, selection] : selections) summaries.emplace(name, summary_of(selection));
  return summaries;
}

}  // namespace

Summaries summaries_of(const Validation& validation) {
  Selection all;
  Selection runs;
  Selection collectives;
  const auto kind = [&](RowKind of) -> Selection& {
    return of == RowKind::collective ? collectives : runs;
  };
  Selections sources;
  Selections parts;
  Selections families;
  for (const ValidatedRow& row : validation.rows) {
    all.rows.push_back(&row);
    kind(row.kind).rows.push_back(&row);
    sources[row.source].rows.push_back(&row);
    families[row.family].rows.push_back(&row);
    for (const std::string& part : row.parts) parts[part].rows.push_back(&row);
  }
  for (const SkippedRow& row : validation.skipped) {
    ++all.skipped;
    ++kind(row.kind).skipped;
    ++sources[row.source].skipped;
    ++families[row.family].skipped;
    for (const std::string& part : row.parts) ++parts[part].skipped;
  }
  return {.overall = summary_of(all),
          .runs = summary_of(runs),
          .collectives = summary_of(collectives),
          .sources = summaries_of(sources),
          .parts = summaries_of(parts),
          .families = summaries_of(families)};
}

}  // namespace cubicbench::results
