#pragma once

#include <string>
#include <vector>

#include "datasets/logs/given_columns.h"
#include "datasets/logs/log_recorder.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// The row of a run: what the log states, what is given beside it, and what follows from both.
///
///   n_gpus        dp x tp x pp x cp                  dp           n_gpus / (tp pp cp)
///   global_batch  dp x micro_batch x grad_accum, and likewise each of these from the others
///   step_time_s   the steady step (steady_step.h), or from its rate: global_batch x seq_len /
///                 (tokens_per_s_per_gpu x n_gpus), global_batch / samples per second
///
/// A degree that is not stated counts as 1 there; dp follows only where tp and pp are stated.
/// Products that are not equal, and a log without a step, a peak of memory and an end for want of
/// memory, are problems. `recorder` is that of the run; records that do not count are added to what
/// was not understood.
Measurement measurement_of(LogRecorder& recorder, GivenColumns given);

/// Columns that the simulator needs, no default fills, and the row lacks.
std::vector<std::string> missing_columns(const Measurement& row);

}  // namespace cubicbench::datasets
