#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predictor/gaussian_process/cholesky_factor.h"
#include "predictor/gaussian_process/factor_rows.h"
#include "predictor/gaussian_process/product_kernel.h"

namespace cubicbench::predictor {

/// A normal distribution.
struct Normal {
  double mean = 0.0;
  double deviation = 0.0;
};

/// The correlations of a configuration with the rows of a process, and the factors that change them
/// when a knob takes another level. As long as the process keeps its rows.
struct Surroundings {
  Levels levels;
  std::vector<double> k;
  /// By table of the kernel; empty until they are asked for.
  std::vector<std::vector<double>> ratios;
};

/// A Gaussian process [RasmussenWilliams06, algorithm 2.1] with the constant mean m and variance
/// s^2 of its targets:
///
///   y ~ N(m, s^2 (K + noise I)),   f(x) | y ~ N(m + k^T A (y - m), s^2 (1 - k^T A k)),
///   A = (K + noise I)^-1,  K_ij = k(x_i, x_j),  k_i = k(x, x_i)
///
/// f is without the noise, whose variance is `noise` s^2. Rows are added one at a time; all targets
/// are given anew whenever one changes, which costs as much as one row.
class GaussianProcess {
 public:
  GaussianProcess(ProductKernel kernel, double noise);

  std::size_t rows() const { return factor_.size(); }
  const ProductKernel& kernel() const { return kernel_; }
  double noise() const { return noise_; }

  void add(std::span<const std::uint8_t> levels);
  /// Adds all of these, in half the time.
  void add_rows(std::span<const Levels> added);
  /// Keeps the first `rows`. Targets have to be given anew.
  void truncate(std::size_t rows);

  /// One target for each row, at least one.
  void set_targets(std::span<const double> targets);

  /// log p(y) but for a constant that depends on the number of rows alone.
  double log_likelihood() const;

  double mean() const { return mean_; }
  double scale() const { return scale_; }

  /// Writes k.
  void correlate(std::span<const std::uint8_t> levels, std::span<double> k) const;
  /// Of a configuration and all that differ from it in a few knobs.
  Surroundings surroundings(std::span<const std::uint8_t> levels) const;
  /// Writes the k of `levels`, and notes the ratios that it takes.
  void correlate(Surroundings& near, std::span<const std::uint8_t> levels,
                 std::span<double> k) const;

  double mean_at(std::span<const double> k) const;
  /// That of row `row`: y - noise s A (y - m) / s, without a look at k.
  double mean_of_row(std::size_t row) const;
  /// f(x) | y; spoils k.
  Normal at(std::span<double> k) const;
  /// The same of several, in half the time of each; spoils nothing.
  void at(std::span<const std::span<const double>> k, std::span<Normal> found) const;
  Normal at(std::span<const std::uint8_t> levels) const;
  /// Not below the deviation of f(x) | y, for the price of one look at k: what the nearest row
  /// alone would leave.
  double deviation_bound(std::span<const double> k) const;

 private:
  void set_factors(std::size_t row, std::span<const std::uint8_t> levels);
  double deviation_left(double explained) const;

  ProductKernel kernel_;
  double noise_;
  CholeskyFactor factor_;
  FactorRows factors_;  ///< by table of the kernel: of that level and each row's
  std::vector<double> targets_;
  std::vector<double> whitened_;  ///< L^-1 (y - m) / s
  std::vector<double> weights_;   ///< A (y - m) / s
  double mean_ = 0.0;
  double scale_ = 1.0;
};

}  // namespace cubicbench::predictor
