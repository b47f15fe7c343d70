#pragma once

#include <cstdint>

#include "datasets/jobs/job_history.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// What somebody launches as job `number` of a history: a model, a cluster and settings as a recipe
/// book would have them, with deviations, but no outcome. `attempt` draws another one where the
/// first could not be laid out. A pure function of its arguments.
Measurement chosen_job(const HistoryOptions& options, std::int64_t number, std::uint32_t attempt);

/// How far through the history job `number` is launched, in [0, 1).
double time_of(const HistoryOptions& options, std::int64_t number);

}  // namespace cubicbench::datasets
