#pragma once

#include <optional>

#include "datasets/tables/measurement.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"

namespace cubicbench::datasets {

/// What launching a run of a table again is taken to come to; nothing where the row does not say.
///
/// A run of status and quality `ok` completes with its value of `metric` (tokens_per_s_per_gpu, or
/// what follows from it). One of status `oom` and quality `ok` or `early_pp` fails as `oom_late`:
/// tables do not say whether memory was short before the first step or in it, and what most often
/// tells one micro-batch that fits from the next that does not is activations. All others, such as
/// those whose timing is flagged or that failed for another reason, say nothing.
///
/// It takes what a simulated launch of that speed would: `job`'s start-up and steps, or the
/// start-up alone where it ran out of memory or the table does not tell a step's time. The time
/// limit of a job does not apply, as the run did end.
std::optional<scenarios::TrialOutcome> outcome_of(const Measurement& row, scenarios::Metric metric,
                                                  const scenarios::Job& job);

/// Time of a step, s: as measured, else global_batch x seq_len over the tokens that all GPUs train
/// in a second.
std::optional<double> step_seconds(const Measurement& row);

}  // namespace cubicbench::datasets
