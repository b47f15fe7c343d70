#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// What a predictor may know of a measured job.
enum class FeatureSet {
  launch,           ///< knobs, model and cluster
  measured_fabric,  ///< and what the job measured of its fabric before training
};

/// The jobs of a measurement table. A row of quality `ok` and status ok is a timed job; without a
/// time, or of quality early_pp, it says only that it fitted. Status oom of either quality is a job
/// that ran out of memory. All other rows are left out, with a note where a row would be a job if
/// it said more (notes_on_jobs). Columns are launch_columns(), physics comes from map_run() and the
/// analytical engine.
///
/// Repeats have equal launch features, model and cluster. `when` orders the rows where all dates
/// are written alike, as YYYY-MM-DD, YYYY-MM or YYYY; else all are 0. A table with rows of our own
/// simulator (is_simulated) is simulated. Runs on up to `threads` threads (0: all cores),
/// which change no bit. Throws InputError when there is no job.
Dataset measured_dataset(const Measurements& measurements, FeatureSet features, int threads = 0);

/// What a row says as a job; nothing for one that is left out.
std::optional<JobStatus> job_status_of(const Measurement& row);

/// Which rows are left out for what they do not say, and where the first stands: "12 rows would be
/// jobs and have no n_gpus, the first in line 2; they are left out".
std::vector<std::string> notes_on_jobs(const Measurements& measurements);

/// Does the row come from our own simulator: does its `source` begin with "cubicbench ", is its
/// `framework` "simulated", or does it say its value without noise, which nobody measures?
bool is_simulated(const Measurement& row);

}  // namespace cubicbench::datasets
