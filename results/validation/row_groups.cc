#include "results/validation/row_groups.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "results/validation/row_errors.h"
#include "support/statistics/correlation.h"

namespace cubicbench::results {
namespace {

/// Rows that share a text, in the order in which the texts first appear.
struct NamedRows {
  std::string name;
  std::vector<const ValidatedRow*> rows;
};

/// Rows with a text that `name` gives, "" for none.
template <typename Name>
std::vector<NamedRows> rows_by(const Validation& validation, Name name) {
  std::vector<NamedRows> all;
  std::map<std::string, std::size_t> place;
  for (const ValidatedRow& row : validation.rows) {
    const std::string& text = name(row);
    if (text.empty()) continue;
    const auto [at, is_new] = place.emplace(text, all.size());
    if (is_new) all.push_back({.name = text, .rows = {}});
    all[at->second].rows.push_back(&row);
  }
  return all;
}

/// Mean of `measured` over the rows that share the greatest of `simulated`, over the best measured.
double top1_ratio(const std::vector<double>& measured, const std::vector<double>& simulated) {
  const double first = std::ranges::max(simulated);
  double sum = 0.0;
  double sharers = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (simulated[i] != first) continue;
    sum += measured[i];
    sharers += 1.0;
  }
  return sum / sharers / std::ranges::max(measured);
}

RankedGroup ranked(const NamedRows& of) {
  std::vector<double> measured;
  std::vector<double> simulated;
  for (const ValidatedRow* row : of.rows) {
    measured.push_back(*row->throughput_measured);
    simulated.push_back(*row->throughput_simulated);
  }
  return {.source = of.rows.front()->source,
          .group = of.name,
          .rows = static_cast<std::int64_t>(of.rows.size()),
          .tau = support::kendall_tau_b(simulated, measured),
          .top1_ratio = top1_ratio(measured, simulated)};
}

bool failed(const ValidatedRow& row) {
  return row.status_measured == datasets::MeasurementStatus::oom;
}

/// Whether all rows of that outcome and micro-batch are said to be so.
bool is_said(const NamedRows& ladder, bool outcome, std::int64_t micro_batch) {
  return std::ranges::all_of(ladder.rows, [&](const ValidatedRow* row) {
    return failed(*row) != outcome || row->micro_batch != micro_batch || says_oom(*row) == outcome;
  });
}

}  // namespace

std::vector<RankedGroup> ranked_groups(const Validation& validation) {
  static const std::string none;
  const auto group = [](const ValidatedRow& row) -> const std::string& {
    return row.rel_error && row.kind != RowKind::collective ? row.group : none;
  };
  std::vector<RankedGroup> groups;
  for (const NamedRows& rows : rows_by(validation, group)) {
    if (rows.rows.size() >= group_rows_min) groups.push_back(ranked(rows));
  }
  return groups;
}

std::vector<MemoryLadder> memory_ladders(const Validation& validation) {
  const auto layout = [](const ValidatedRow& row) -> const std::string& { return row.ladder; };
  std::vector<MemoryLadder> ladders;
  for (const NamedRows& rows : rows_by(validation, layout)) {
    std::optional<std::int64_t> fits;
    std::optional<std::int64_t> fails;
    for (const ValidatedRow* row : rows.rows) {
      const std::int64_t micro_batch = row->micro_batch;
      if (failed(*row)) {
        fails = std::min(fails.value_or(micro_batch), micro_batch);
      } else {
        fits = std::max(fits.value_or(micro_batch), micro_batch);
      }
    }
    if (!fits || !fails) continue;
    ladders.push_back({.source = rows.rows.front()->source,
                       .layout = rows.name,
                       .fits_last = *fits,
                       .fails_first = *fails,
                       .fits_said = is_said(rows, false, *fits),
                       .fails_said = is_said(rows, true, *fails)});
  }
  return ladders;
}

}  // namespace cubicbench::results
