#pragma once

#include <cstdint>

#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// What a simulated history of training jobs is drawn from.
struct HistoryOptions {
  std::int64_t jobs = 1000;
  std::int64_t days = 365;
  std::int64_t gpus_min = 8;       ///< powers of two, at least 8: whole nodes
  std::int64_t gpus_max = 16'384;  ///< not below `gpus_min`
  std::uint64_t seed = 0;
};

/// A history of language-model training jobs as a company might have it: sizes from 1 B to 405 B
/// parameters, GPU counts that drift upward, settings that people chose sensibly but not well,
/// software that gets faster with time, run-to-run noise, failures. Times come from the simulator
/// (status `ok` with quality `ok`, `oom`, or `other` for infrastructure). Rows are in the order of
/// launch; `date` is the day. A pure function of the options, whatever the threads.
Measurements job_history(const HistoryOptions& options, int threads);

}  // namespace cubicbench::datasets
