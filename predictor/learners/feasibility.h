#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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

/// The probability that a job fits, from the simulator's memory alone:
///
///   p = 1 / (1 + exp(-(a - b log share))),   share = simulated demand over what the device has
///
/// with a and b of the greatest posterior probability. Their prior says that half of the jobs fit
/// where the simulator sees the device just full, and that the change is as narrow as it was found
/// on 2,548 runs: a logistic width of 3.7 GiB around 66 GiB, b = 18 (docs/measured-runs.md). So a
/// handful of jobs, or jobs that all fit, are enough. A value.
class MemoryHead {
 public:
  MemoryHead(const datasets::Dataset& data, std::span<const std::size_t> jobs);

  /// One logit a job; that of the training jobs' smoothed share where the simulator has no answer.
  std::vector<double> logits(const datasets::Dataset& data,
                             std::span<const std::size_t> jobs) const;

 private:
  double level_ = 0.0;    ///< a
  double slope_ = 0.0;    ///< b
  double unknown_ = 0.0;  ///< logit where the simulator says nothing
};

/// 1 / (1 + exp(-logit)), and back. A probability of 0 or 1 counts as one in a hundred thousand.
double probability_of(double logit);
double logit_of(double probability);

}  // namespace cubicbench::predictor
