#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "predictor/gaussian_process/gaussian_process.h"

namespace cubicbench::search {

/// E[max(f - best, 0)] of a normal f.
double expected_improvement(const predictor::Normal& f, double best);

/// Not below that of any normal with this mean and a deviation up to this.
double improvement_bound(const predictor::Normal& f, double best);

/// The correlations of a configuration with the rows of each process.
struct Correlations {
  std::vector<double> value;
  std::vector<std::vector<double>> limits;
};

/// The same of a configuration and of all that differ from it in a few knobs.
struct NearCorrelations {
  predictor::Surroundings value;
  std::vector<predictor::Surroundings> limits;
};

/// What a configuration is worth launching: the improvement that is expected of it times the
/// probability that it keeps all limits.
class Acquisition {
 public:
  /// `value`: of the score, nothing where none is known; `limits`: each of a number that is above 0
  /// where a launch fails; `best`: what is to be improved on; `explore`: deviations of the value
  /// count so many times. All must outlive this.
  Acquisition(const predictor::GaussianProcess* value,
              std::vector<const predictor::GaussianProcess*> limits, double best,
              double explore = 1.0)
      : value_(value), limits_(std::move(limits)), best_(best), explore_(explore) {}

  Correlations correlations(std::span<const std::uint8_t> levels) const;
  /// Writes the same to `at`.
  void correlate(std::span<const std::uint8_t> levels, Correlations& at) const;
  NearCorrelations near(std::span<const std::uint8_t> levels) const;
  /// Writes those of `levels` to `at`.
  void correlate(NearCorrelations& near, std::span<const std::uint8_t> levels,
                 Correlations& at) const;

  /// Not below worth().
  double bound(const Correlations& at) const;
  /// What each of `at` is worth. Where that is at most `enough`, writes an upper bound that is so
  /// too, which mostly saves the equations of the limits. Several at once take half the time each.
  void worth(std::span<const Correlations> at, std::span<double> found, double enough = -1.0) const;
  double worth(const Correlations& at) const;
  /// That it runs.
  double chance(const Correlations& at) const;

 private:
  /// Not below chance().
  double chance_bound(const Correlations& at) const;
  /// Multiplies what is found of `chosen` by their chances.
  void times_chance(std::span<const Correlations> at, std::span<const std::size_t> chosen,
                    std::span<double> found) const;

  const predictor::GaussianProcess* value_;
  std::vector<const predictor::GaussianProcess*> limits_;
  double best_;
  double explore_;
};

}  // namespace cubicbench::search
