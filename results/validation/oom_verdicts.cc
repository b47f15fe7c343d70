#include "results/validation/oom_verdicts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "predictor/judging/correlation.h"

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
  std::vector<double> ratios;
  std::vector<bool> failures;
  for (const ValidatedRow* row : rows) {
    if (!row->memory.demand || !row->memory.limit) continue;
    ratios.push_back(*row->memory.demand / std::max(*row->memory.limit, 1e-9));
    failures.push_back(failed(*row));
  }
  // The sum of the ranks of the failures, of which ties share the mean [Mann-Whitney U].
  const std::vector<double> ranks = predictor::average_ranks(ratios);
  double positives = 0.0;
  double rank_sum = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    positives += failures[i] ? 1.0 : 0.0;
    rank_sum += failures[i] ? ranks[i] : 0.0;
  }
  const double negatives = static_cast<double>(ranks.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return std::nullopt;
  return (rank_sum - 0.5 * positives * (positives + 1.0)) / (positives * negatives);
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
