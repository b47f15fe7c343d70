#include "search/constrained_gp/acquisition.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numeric.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

using predictor::GaussianProcess;
using predictor::Normal;

/// Below it a chance is no longer believed.
constexpr double chance_min = 0.005;

double density(double x) { return 0.3989422804014327 * sim::exp(-0.5 * x * x); }

/// Not below P(f < 0) of any normal with this mean and a deviation up to this.
double below_zero_bound(const Normal& f) {
  const double z = f.mean / f.deviation;
  return z <= 0.0 ? 1.0 : 0.5 * sim::exp(-0.5 * z * z);
}

void change_one(const GaussianProcess& process, const std::vector<double>& from,
                std::span<const std::uint8_t> levels, std::span<const std::uint8_t> to_levels,
                std::vector<double>& to) {
  to = from;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] != to_levels[i]) process.change(i, levels[i], to_levels[i], to);
  }
}

void correlate_one(const GaussianProcess& process, std::span<const std::uint8_t> levels,
                   std::vector<double>& k) {
  k.resize(process.rows());
  process.correlate(levels, k);
}

}  // namespace

double expected_improvement(const Normal& f, double best) {
  const double z = (f.mean - best) / f.deviation;
  return f.deviation * std::max(z * support::normal_cdf(z) + density(z), 0.0);
}

// For z < 0 the tail beyond |z| is at least |z| / (1 + z^2) of the density, which leaves
// 1 / (1 + z^2) of it; and I(z) = z + I(-z).
double improvement_bound(const Normal& f, double best) {
  const double z = (f.mean - best) / f.deviation;
  return f.deviation * (std::max(z, 0.0) + density(z) / (1.0 + z * z));
}

Correlations Acquisition::correlations(std::span<const std::uint8_t> levels) const {
  Correlations at;
  correlate(levels, at);
  return at;
}

void Acquisition::correlate(std::span<const std::uint8_t> levels, Correlations& at) const {
  if (value_ != nullptr) correlate_one(*value_, levels, at.value);
  at.limits.resize(limits_.size());
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    correlate_one(*limits_[i], levels, at.limits[i]);
  }
}

void Acquisition::change(const Correlations& from, std::span<const std::uint8_t> levels,
                         std::span<const std::uint8_t> to_levels, Correlations& to) const {
  if (value_ != nullptr) change_one(*value_, from.value, levels, to_levels, to.value);
  to.limits.resize(limits_.size());
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    change_one(*limits_[i], from.limits[i], levels, to_levels, to.limits[i]);
  }
}

double Acquisition::chance_bound(const Correlations& at) const {
  double chance = 1.0;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    chance *= below_zero_bound({.mean = limits_[i]->mean_at(at.limits[i]),
                                .deviation = limits_[i]->deviation_bound(at.limits[i])});
  }
  return std::max(chance, chance_min);
}

double Acquisition::bound(const Correlations& at) const {
  const double chance = chance_bound(at);
  if (value_ == nullptr) return chance;
  return chance * improvement_bound({.mean = value_->mean_at(at.value),
                                     .deviation = explore_ * value_->deviation_bound(at.value)},
                                    best_);
}

double Acquisition::chance(Correlations& at) const {
  double chance = 1.0;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const Normal f = limits_[i]->at(at.limits[i]);
    chance *= support::normal_cdf(-f.mean / f.deviation);
  }
  return std::max(chance, chance_min);
}

double Acquisition::worth(Correlations& at, double enough) const {
  if (value_ == nullptr) return chance(at);
  Normal value = value_->at(at.value);
  value.deviation *= explore_;
  const double improvement = expected_improvement(value, best_);
  const double most = chance_bound(at) * improvement;
  return most > enough ? chance(at) * improvement : most;
}

}  // namespace cubicbench::search
