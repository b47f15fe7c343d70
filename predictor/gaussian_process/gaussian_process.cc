#include "predictor/gaussian_process/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "predictor/gaussian_process/wide_loops.h"
#include "sim/base/check.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {

GaussianProcess::GaussianProcess(ProductKernel kernel, double noise)
    : kernel_(std::move(kernel)), noise_(noise), factors_(kernel_.tables()) {}

void GaussianProcess::add(std::span<const std::uint8_t> levels) {
  SIM_ASSERT(levels.size() == kernel_.knobs(), levels.size(), kernel_.knobs());
  std::vector<double> k(rows());
  correlate(levels, k);
  factor_.add(k, 1.0 + noise_);
  for (std::size_t knob = 0; knob < levels.size(); ++knob) {
    for (std::size_t level = 0; level < kernel_.levels(knob); ++level) {
      factors_[kernel_.table(knob, level)].push_back(kernel_.factor(knob, level, levels[knob]));
    }
  }
}

void GaussianProcess::truncate(std::size_t rows) {
  factor_.truncate(rows);
  for (std::vector<double>& of_rows : factors_) of_rows.resize(rows);
}

void GaussianProcess::set_targets(std::span<const double> targets) {
  SIM_ASSERT(targets.size() == rows() && !targets.empty(), targets.size(), rows());
  mean_ = support::mean(targets);
  const double variance = support::variance(targets, support::Drawn::all);
  scale_ = variance > 0.0 ? std::sqrt(variance) : 1.0;
  targets_.assign(targets.begin(), targets.end());
  whitened_.resize(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) whitened_[i] = (targets[i] - mean_) / scale_;
  factor_.solve_lower(whitened_);
  weights_ = whitened_;
  factor_.solve_upper(weights_);
}

double GaussianProcess::log_likelihood() const {
  return -0.5 * (dot(whitened_, whitened_) + factor_.log_determinant());
}

void GaussianProcess::correlate(std::span<const std::uint8_t> levels, std::span<double> k) const {
  std::fill(k.begin(), k.end(), 1.0);
  for (std::size_t knob = 0; knob < levels.size(); ++knob) {
    multiply(k, factors_[kernel_.table(knob, levels[knob])]);
  }
}

void GaussianProcess::change(std::size_t knob, std::size_t from, std::size_t to,
                             std::span<double> k) const {
  multiply_by_ratio(k, factors_[kernel_.table(knob, to)], factors_[kernel_.table(knob, from)]);
}

double GaussianProcess::mean_at(std::span<const double> k) const {
  return mean_ + scale_ * dot(k, weights_);
}

double GaussianProcess::mean_of_row(std::size_t row) const {
  return targets_[row] - noise_ * scale_ * weights_[row];
}

Normal GaussianProcess::at(std::span<double> k) const {
  const double mean = mean_at(k);
  factor_.solve_lower(k);
  return {.mean = mean, .deviation = scale_ * std::sqrt(std::max(1.0 - dot(k, k), 1e-10))};
}

Normal GaussianProcess::at(std::span<const std::uint8_t> levels) const {
  std::vector<double> k(rows());
  correlate(levels, k);
  return at(k);
}

double GaussianProcess::deviation_bound(std::span<const double> k) const {
  const double nearest = largest(k);
  return scale_ * std::sqrt(std::max(1.0 - nearest * nearest / (1.0 + noise_), 1e-10));
}

}  // namespace cubicbench::predictor
