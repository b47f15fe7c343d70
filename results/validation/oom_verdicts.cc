#include "results/validation/oom_verdicts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "support/statistics/a12.h"

namespace cubicbench::results {
namespace {

bool failed(const ValidatedRow& row) {
  return row.status_measured == datasets::MeasurementStatus::oom;
}

bool is_right(const ValidatedRow& row) { return failed(row) == runs_out_of_memory(row); }

std::optional<double> share(std::int64_t part, std::int64_t rest) {
  if (part + rest == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(part + rest);
}

using Ladder = std::vector<const ValidatedRow*>;

/// Are all runs of `ladder` with this outcome and micro-batch judged right?
bool edge_is_right(const Ladder& ladder, bool outcome, std::int64_t micro_batch) {
  return std::ranges::all_of(ladder, [&](const ValidatedRow* row) {
    return failed(*row) != outcome || row->micro_batch != micro_batch || is_right(*row);
  });
}

/// Nothing when the ladder has but one outcome.
std::optional<bool> edges_are_right(const Ladder& ladder) {
  std::optional<std::int64_t> largest_success;
  std::optional<std::int64_t> smallest_failure;
  for (const ValidatedRow* row : ladder) {
    const std::int64_t micro_batch = row->micro_batch;
    if (failed(*row)) {
      smallest_failure = std::min(smallest_failure.value_or(micro_batch), micro_batch);
    } else {
      largest_success = std::max(largest_success.value_or(micro_batch), micro_batch);
    }
  }
  if (!largest_success || !smallest_failure) return std::nullopt;
  return edge_is_right(ladder, false, *largest_success) &&
         edge_is_right(ladder, true, *smallest_failure);
}

}  // namespace

bool runs_out_of_memory(const ValidatedRow& row) {
  return row.status_simulated == sim::StepStatus::oom_init ||
         row.status_simulated == sim::StepStatus::oom_late;
}

std::optional<double> oom_auroc(std::span<const ValidatedRow* const> rows) {
  std::vector<double> ran;
  std::vector<double> out_of_memory;
  for (const ValidatedRow* row : rows) {
    if (!row->memory.demand || !row->memory.limit) continue;
    const double ratio = *row->memory.demand / std::max(*row->memory.limit, 1e-9);
    (failed(*row) ? out_of_memory : ran).push_back(ratio);
  }
  if (ran.empty() || out_of_memory.empty()) return std::nullopt;
  return support::a12(out_of_memory, ran);  // the area under the ROC curve
}

std::optional<double> ladder_edges(std::span<const ValidatedRow* const> rows) {
  std::map<std::string_view, Ladder> ladders;
  for (const ValidatedRow* row : rows) {
    if (!row->ladder.empty()) ladders[row->ladder].push_back(row);
  }
  std::int64_t right = 0;
  std::int64_t wrong = 0;
  for (const auto& [name, ladder] : ladders) {
    if (const std::optional<bool> both = edges_are_right(ladder)) ++(*both ? right : wrong);
  }
  return share(right, wrong);
}

OomSummary oom_verdicts(std::span<const ValidatedRow* const> rows) {
  OomSummary verdicts;
  for (const ValidatedRow* row : rows) {
    if (row->kind == RowKind::collective) continue;
    const bool said = runs_out_of_memory(*row);
    std::int64_t& count =
        failed(*row) ? (said ? verdicts.tp : verdicts.fn) : (said ? verdicts.fp : verdicts.tn);
    ++count;
  }
  const std::optional<double> caught = share(verdicts.tp, verdicts.fn);
  const std::optional<double> spared = share(verdicts.tn, verdicts.fp);
  if (caught && spared) verdicts.balanced_accuracy = 0.5 * (*caught + *spared);
  verdicts.auroc = oom_auroc(rows);
  verdicts.ladder_edges = ladder_edges(rows);
  return verdicts;
}

}  // namespace cubicbench::results
