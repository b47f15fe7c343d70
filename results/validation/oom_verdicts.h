#pragma once

#include <optional>
#include <span>

#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Does the simulator say that this run does not fit?
bool runs_out_of_memory(const ValidatedRow& row);

/// Simulated verdicts on memory against measured ones. Collectives have none.
OomSummary oom_verdicts(std::span<const ValidatedRow* const> rows);

/// Probability that a run that failed for memory has a larger demand over limit than one that did
/// not; equal ones count half. Nothing when one of the kinds is missing.
std::optional<double> oom_auroc(std::span<const ValidatedRow* const> rows);

/// Of the ladders of micro-batches that hold successes and failures: the share in which all runs of
/// the largest success and all of the smallest failure are judged right. Nothing without such a
/// ladder.
std::optional<double> ladder_edges(std::span<const ValidatedRow* const> rows);

}  // namespace cubicbench::results
