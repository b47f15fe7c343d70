#include "search/constrained_gp/acquisition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

void correlate_one(const GaussianProcess& process, predictor::Surroundings& near,
                   std::span<const std::uint8_t> levels, std::vector<double>& k) {
  k.resize(process.rows());
  process.correlate(near, levels, k);
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

NearCorrelations Acquisition::near(std::span<const std::uint8_t> levels) const {
  NearCorrelations near;
  if (value_ != nullptr) near.value = value_->surroundings(levels);
  for (const GaussianProcess* const limit : limits_) {
    near.limits.push_back(limit->surroundings(levels));
  }
  return near;
}

void Acquisition::correlate(NearCorrelations& near, std::span<const std::uint8_t> levels,
                            Correlations& at) const {
  if (value_ != nullptr) correlate_one(*value_, near.value, levels, at.value);
  at.limits.resize(limits_.size());
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    correlate_one(*limits_[i], near.limits[i], levels, at.limits[i]);
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

void Acquisition::times_chance(std::span<const Correlations> at,
                               std::span<const std::size_t> chosen, std::span<double> found) const {
  std::vector<double> chances(chosen.size(), 1.0);
  std::vector<std::span<const double>> k(chosen.size());
  std::vector<Normal> f(chosen.size());
  for (std::size_t limit = 0; limit < limits_.size(); ++limit) {
    for (std::size_t i = 0; i < chosen.size(); ++i) k[i] = at[chosen[i]].limits[limit];
    limits_[limit]->at(k, f);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      chances[i] *= support::normal_cdf(-f[i].mean / f[i].deviation);
    }
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    found[chosen[i]] = std::max(chances[i], chance_min) * found[chosen[i]];
  }
}

void Acquisition::worth(std::span<const Correlations> at, std::span<double> found,
                        double enough) const {
  std::vector<std::size_t> chosen;
  if (value_ == nullptr) {
    std::ranges::fill(found, 1.0);
    chosen.resize(at.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return times_chance(at, chosen, found);
  }
  std::vector<std::span<const double>> k;
  for (const Correlations& one : at) k.emplace_back(one.value);
  std::vector<Normal> values(at.size());
  value_->at(k, values);
  for (std::size_t i = 0; i < at.size(); ++i) {
    values[i].deviation *= explore_;
    found[i] = expected_improvement(values[i], best_);
    if (const double most = chance_bound(at[i]) * found[i]; most > enough) {
      chosen.push_back(i);
    } else {
      found[i] = most;
    }
  }
  times_chance(at, chosen, found);
}

double Acquisition::worth(const Correlations& at) const {
  double found = 0.0;
  worth(std::span(&at, 1), std::span(&found, 1));
  return found;
}

double Acquisition::chance(const Correlations& at) const {
  double found = 1.0;
  times_chance(std::span(&at, 1), std::array<std::size_t, 1>{0}, std::span(&found, 1));
  return found;
}

}  // namespace cubicbench::search
