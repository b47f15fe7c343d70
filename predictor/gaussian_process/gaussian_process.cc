#include "predictor/gaussian_process/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "predictor/gaussian_process/factor_product.h"
#include "predictor/gaussian_process/wide.h"
#include "predictor/gaussian_process/wide_loops.h"
#include "sim/base/check.h"
#include "support/interruption.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {

GaussianProcess::GaussianProcess(ProductKernel kernel, double noise)
    : kernel_(std::move(kernel)), noise_(noise), factors_(kernel_.tables()) {}

void GaussianProcess::add(std::span<const std::uint8_t> levels) {
  std::vector<double> k(rows());
  correlate(levels, k);
  factors_.resize(rows() + 1);
  set_factors(rows(), levels);
  factor_.add(k, 1.0 + noise_);
}

void GaussianProcess::add_rows(std::span<const Levels> added) {
  const std::size_t before = rows();
  factors_.resize(before + added.size());
  for (std::size_t i = 0; i < added.size(); ++i) set_factors(before + i, added[i]);
  std::vector<std::vector<double>> block;
  constexpr std::size_t at_once = 4;
  for (std::size_t begin = 0; begin < added.size(); begin += at_once) {
    support::end_if_interrupted();
    block.clear();
    for (std::size_t i = begin; i < std::min(begin + at_once, added.size()); ++i) {
      block.emplace_back(before + i);
      correlate(added[i], block.back());
    }
    factor_.add_rows(block, 1.0 + noise_);
  }
}

void GaussianProcess::set_factors(std::size_t row, std::span<const std::uint8_t> levels) {
  for (std::size_t knob = 0; knob < levels.size(); ++knob) {
    for (std::size_t level = 0; level < kernel_.levels(knob); ++level) {
      factors_[kernel_.table(knob, level)][row] = kernel_.factor(knob, level, levels[knob]);
    }
  }
}

void GaussianProcess::truncate(std::size_t rows) {
  factor_.truncate(rows);
  factors_.resize(rows);
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
  SIM_ASSERT(levels.size() == kernel_.knobs(), levels.size(), kernel_.knobs());
  FactorProduct factors(k);
  for (std::size_t knob = 0; knob < levels.size(); ++knob) {
    factors.times(factors_[kernel_.table(knob, levels[knob])]);
  }
  factors.end();
}

Surroundings GaussianProcess::surroundings(std::span<const std::uint8_t> levels) const {
  Surroundings near{.levels = Levels(levels.begin(), levels.end()),
                    .k = std::vector<double>(rows()),
                    .ratios = std::vector<std::vector<double>>(kernel_.tables())};
  correlate(levels, near.k);
  return near;
}

void GaussianProcess::correlate(Surroundings& near, std::span<const std::uint8_t> levels,
                                std::span<double> k) const {
  SIM_ASSERT(levels.size() == kernel_.knobs(), levels.size(), kernel_.knobs());
  SIM_ASSERT(near.k.size() == rows(), near.k.size(), rows());
  FactorProduct factors(k);
  factors.times(near.k);
  for (std::size_t knob = 0; knob < levels.size(); ++knob) {
    if (levels[knob] == near.levels[knob]) continue;
    const std::size_t table = kernel_.table(knob, levels[knob]);
    std::vector<double>& ratios = near.ratios[table];
    if (ratios.empty()) {
      ratios.resize(rows());
      divide(factors_[table], factors_[kernel_.table(knob, near.levels[knob])], ratios);
    }
    factors.times(ratios);
  }
  factors.end();
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
  return {.mean = mean, .deviation = deviation_left(dot(k, k))};
}

double GaussianProcess::deviation_left(double explained) const {
  return scale_ * std::sqrt(std::max(1.0 - explained, 1e-10));
}

Normal GaussianProcess::at(std::span<const std::uint8_t> levels) const {
  std::vector<double> k(rows());
  correlate(levels, k);
  return at(k);
}

void GaussianProcess::at(std::span<const std::span<const double>> k,
                         std::span<Normal> found) const {
  constexpr std::size_t at_once = 4;
  std::vector<Four> solved(rows());
  for (std::size_t begin = 0; begin < k.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, k.size() - begin);
    // The last stands in for those that are missing.
    for (std::size_t lane = 0; lane < at_once; ++lane) {
      const std::span<const double> one = k[begin + std::min(lane, count - 1)];
      for (std::size_t row = 0; row < one.size(); ++row) solved[row].lanes[lane] = one[row];
    }
    factor_.solve_lower(solved);
    Four explained{};
    squares(solved, explained);
    for (std::size_t lane = 0; lane < count; ++lane) {
      found[begin + lane] = {.mean = mean_at(k[begin + lane]),
                             .deviation = deviation_left(explained.lanes[lane])};
    }
  }
}

double GaussianProcess::deviation_bound(std::span<const double> k) const {
  const double nearest = largest(k);
  return deviation_left(nearest * nearest / (1.0 + noise_));
}

}  // namespace cubicbench::predictor
