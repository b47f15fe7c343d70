#include "datasets/validation/oom_verdicts.h"

#include <algorithm>

#include "support/statistics/mann_whitney.h"

namespace cubicbench::datasets {
namespace {

std::optional<double> share(std::int64_t part, std::int64_t rest) {
  if (part + rest == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(part + rest);
}

/// Whether all rows of that outcome and micro-batch are simulated to end so.
bool is_said(RowSpan rows, bool outcome, std::int64_t micro_batch) {
  return std::ranges::all_of(rows, [&](const ValidatedRow* row) {
    return failed(*row) != outcome || row->micro_batch != micro_batch ||
           fails_simulated(*row) == outcome;
  });
}

/// Nothing when all have one outcome.
std::optional<MemoryLadder> ladder_of(const NamedRows& of) {
  std::optional<std::int64_t> fits;
  std::optional<std::int64_t> fails;
  for (const ValidatedRow* row : of.rows) {
    const std::int64_t micro_batch = row->micro_batch;
    if (failed(*row)) {
      fails = std::min(fails.value_or(micro_batch), micro_batch);
    } else {
      fits = std::max(fits.value_or(micro_batch), micro_batch);
    }
  }
  if (!fits || !fails) return std::nullopt;
  return MemoryLadder{.source = of.rows.front()->source,
                      .layout = of.name,
                      .fits_last = *fits,
                      .fails_first = *fails,
                      .fits_said = is_said(of.rows, false, *fits),
                      .fails_said = is_said(of.rows, true, *fails)};
}

std::optional<double> oom_auroc(RowSpan rows) {
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

}  // namespace

std::vector<MemoryLadder> memory_ladders(RowSpan rows) {
  std::vector<MemoryLadder> ladders;
  for (const NamedRows& of : rows_by(rows, &ValidatedRow::ladder)) {
    if (auto ladder = ladder_of(of)) ladders.push_back(std::move(*ladder));
  }
  return ladders;
}

OomSummary oom_verdicts(RowSpan rows) {
  OomSummary verdicts;
  const auto is_judged = [](const ValidatedRow& row) { return is_run(row) && row.memory.judged; };
  for (const ValidatedRow* row : rows_where(rows, is_judged)) {
    const bool said = fails_simulated(*row);
    ++(failed(*row) ? (said ? verdicts.tp : verdicts.fn) : (said ? verdicts.fp : verdicts.tn));
  }
  const std::optional<double> caught = share(verdicts.tp, verdicts.fn);
  const std::optional<double> spared = share(verdicts.tn, verdicts.fp);
  if (caught && spared) verdicts.balanced_accuracy = 0.5 * (*caught + *spared);
  verdicts.auroc = oom_auroc(rows);
  const std::vector<MemoryLadder> ladders = memory_ladders(rows);
  const auto right = std::ranges::count_if(ladders, &MemoryLadder::right);
  verdicts.ladder_edges = share(right, std::ssize(ladders) - right);
  return verdicts;
}

}  // namespace cubicbench::datasets
