#include "predictor/learners/slow_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

/// The layout alone: what it decides is who waits for whom.
constexpr std::array<std::string_view, 5> features{"log2_gpus", "log2_data_parallel",
                                                   "log2_tensor_parallel", "log2_pipeline_parallel",
                                                   "pipelined"};

constexpr TreeSettings share_trees{
    .rounds = 150, .depth = 2, .learning_rate = 0.05, .row_share = 0.8, .column_share = 0.7};

/// States that are nearer than this cannot be told apart by a job that differs from the simulator
/// by a tenth. Such jobs say where the simulator stands as a whole.
constexpr double alike = 0.15;
constexpr std::size_t alike_min = 5;
/// A job says at most so much more than another, however slow its slow state.
constexpr double distance_max = 1.5;

/// By how much jobs whose state does not matter differ from the simulator.
double common_offset(const SimulatedJobs& simulated, std::span<const double> values) {
  std::vector<double> offsets;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double offset = values[i] - simulated.log_value[i];
    if (std::abs(simulated.slow_shift[i]) < alike && !std::isnan(offset)) offsets.push_back(offset);
  }
  return offsets.size() < alike_min ? 0.0 : support::median(std::move(offsets));
}

}  // namespace

SlowState::SlowState(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                     std::span<const double> values, std::uint64_t seed) {
  const SimulatedJobs simulated = simulated_jobs(data, jobs);
  const double offset = common_offset(simulated, values);
  std::vector<std::size_t> telling;
  std::vector<double> shares;
  std::vector<double> weights;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double shift = simulated.slow_shift[i];
    if (shift == 0.0) continue;
    const double distance = std::min(std::abs(shift), distance_max);
    telling.push_back(jobs[i]);
    shares.push_back(std::clamp((values[i] - simulated.log_value[i] - offset) / shift, 0.0, 1.0));
    weights.push_back(std::max(distance * distance, 1e-4));
  }
  if (telling.empty()) return;
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight *= static_cast<double>(weights.size()) / sum;
  trees_.emplace(physics_features(data, telling, features), shares, share_trees, seed, weights);
}

std::vector<double> SlowState::shares(const datasets::Dataset& data,
                                      std::span<const std::size_t> jobs) const {
  if (!trees_) return std::vector<double>(jobs.size(), 0.0);
  std::vector<double> shares = trees_->predict(physics_features(data, jobs, features));
  for (double& share : shares) share = std::clamp(share, 0.0, 1.0);
  return shares;
}

}  // namespace cubicbench::predictor
