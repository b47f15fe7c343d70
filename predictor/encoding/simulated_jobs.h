#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/encoding/encoding.h"

namespace cubicbench::predictor {

/// What the simulator said of some jobs, one entry a job.
struct SimulatedJobs {
  std::vector<double> log_value;   ///< of the target; NaN where the simulator has no answer
  std::vector<double> slow_shift;  ///< what the slow state adds to it; 0 where nobody says
  std::vector<double> log_memory;  ///< of the share of the device's memory; NaN likewise
};

SimulatedJobs simulated_jobs(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// How many of the jobs the simulator has no answer for.
std::int64_t without_answer(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// Physics columns as features for trees, in the dataset's order: all of them, or those of `names`
/// that the dataset has.
FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs);
FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                               std::span<const std::string_view> names);

/// The columns of `left`, then those of `right`. Requires equally many rows.
FeatureMatrix side_by_side(const FeatureMatrix& left, const FeatureMatrix& right);

}  // namespace cubicbench::predictor
