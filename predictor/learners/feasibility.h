#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "datasets/jobs/dataset.h"
#include "predictor/encoding/encoding.h"
#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// Does a job fit into memory? Every status but out_of_memory says yes.
bool fits(const datasets::Job& job);

/// The launch features as trees see them, for heads of feasibility: without columns that are known
/// of training jobs of one outcome alone. Being known would tell the outcome: a job that runs out
/// of memory never comes to measure its fabric.
Encoding feasibility_encoding(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// Learns from jobs that fit and jobs that do not (datasets::fitting_jobs()), by their launch
/// features alone; predicts the probability, in [0, 1], that a job fits. The head of all predictors
/// that have none of their own. Of jobs that all fit, or none, it predicts that share, smoothed:
/// (fitting + 1) / (jobs + 2). Requires at least one job. A pure function of its arguments.
std::unique_ptr<const Model> fit_feasibility(const datasets::Dataset& data,
                                             std::span<const std::size_t> jobs, std::uint64_t seed);

}  // namespace cubicbench::predictor
