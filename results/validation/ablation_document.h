#pragma once

#include <nlohmann/json_fwd.hpp>

#include "predictor/calibration/ablation.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// What each term is worth, of all runs and stack by stack, and how the calibrations do on models
/// that were left out of them. Adds nothing where no stack has runs.
void add_ablation(const predictor::Ablation& ablation, Document& document);

/// What `validate --ablation --json` adds to its document:
///
///   {"all": RUNS, "stacks": [RUNS], "calibrations": [{"name", "stack" or "device", "rows",
///    "models", "constants_of_subject", "error_before", "error_after", "error_left_out", "ratio",
///    "constants": [{"name", "before", "after", "low", "high"}]}]}
///   RUNS  {"stack", "rows", "models", "constants": [names], "terms": [{"left_out", "in_runs",
///          "median_abs_rel_error", "p90_abs_rel_error", "family_kendall_median",
///          "group_top1_ratio"}]}
///
/// `left_out` is null in the first term, of the whole model, and `stack` in "all".
nlohmann::ordered_json ablation_json(const predictor::Ablation& ablation);

}  // namespace cubicbench::results
