#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/cma_es/eigen_symmetric.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// Weights and rates of CMA-ES that follow from the number of coordinates and of points per
/// generation [HansenTutorial16, equations 48 to 58].
struct CmaRates {
  CmaRates(std::size_t coordinates, std::size_t points);

  std::vector<double> weights;  ///< of the points, the best first; the worse half are negative
  double mu_eff = 0.0;          ///< how many points the positive weights are worth
  double c_sigma = 0.0;         ///< of the path that sets the step size
  double d_sigma = 0.0;         ///< damping of the step size
  double c_path = 0.0;          ///< of the path that turns the covariance
  double c_one = 0.0;           ///< of the rank-one update
  double c_mu = 0.0;            ///< of the rank-mu update
  double chi = 0.0;             ///< expected length of a standard normal vector
};

/// Points of a generation: 4 + floor(3 ln n) [HansenTutorial16, equation 48].
std::size_t points_of_generation(std::size_t coordinates);

/// The normal distribution N(mean, sigma^2 C) that CMA-ES moves [HansenTutorial16], with active
/// (negative) weights: step for step the class `CMA` of the package cmaes 0.9.1. A value; not to be
/// shared by threads.
class NormalCloud {
 public:
  /// `points` (at least 4) make a generation. Requires a coordinate.
  NormalCloud(std::vector<double> mean, double sigma, std::size_t points);

  std::size_t points() const { return rates_.weights.size(); }
  std::span<const double> mean() const { return mean_; }
  double sigma() const { return sigma_; }
  /// Of one coordinate, in units of sigma.
  double deviation(std::size_t coordinate) const;

  std::vector<double> sample(RandomStream& random) const;

  /// Moves by a generation, of which it takes the points in the order of their worth, the best
  /// first. Requires as many as make one.
  void update(std::span<const std::vector<double>> best_first);

  void set_mean(std::size_t coordinate, double value) { mean_[coordinate] = value; }

  /// Has it become a point, a line, or left for infinity? Then there is nothing to gain from it any
  /// more: the criteria of cmaes 0.9.1 that look at the distribution alone.
  bool degenerate() const;

 private:
  std::vector<double> whitened(std::span<const double> step) const;
  void move_mean(std::span<const double> step);
  /// Returns whether the path is short enough for the covariance's path to follow the step.
  bool move_sigma(std::span<const double> step);
  void move_covariance(std::span<const double> step, bool follows,
                       std::span<const std::vector<double>> steps);
  void decompose();

  CmaRates rates_;
  std::vector<double> mean_;
  double sigma_;
  double sigma_first_;
  std::vector<double> covariance_;  ///< C, [n x n]
  EigenSystem axes_;                ///< of C; values are square roots
  std::vector<double> sigma_path_;
  std::vector<double> path_;
  double generation_ = 0.0;
};

}  // namespace cubicbench::search
