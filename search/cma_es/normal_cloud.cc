#include "search/cma_es/normal_cloud.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

constexpr double tiny = 1e-8;
constexpr double sigma_max = 1e32;

double square(double x) { return x * x; }

double squared_length(std::span<const double> vector) {
  double sum = 0.0;
  for (const double each : vector) sum += each * each;
  return sum;
}

/// How many equal points a sum over these weights is worth.
double effective(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  return square(sum) / squared_length(weights);
}

/// The raw weights: ln((points + 1) / 2) - ln(rank), the best having rank 1.
std::vector<double> raw_weights(std::size_t points) {
  std::vector<double> weights;
  const double middle = sim::log((static_cast<double>(points) + 1.0) / 2.0);
  for (std::size_t rank = 1; rank <= points; ++rank) {
    weights.push_back(middle - sim::log(static_cast<double>(rank)));
  }
  return weights;
}

/// Positive ones sum to 1, negative ones to `negative_sum`.
void normalise(std::vector<double>& weights, double negative_sum) {
  double positive = 0.0;
  double negative = 0.0;
  for (const double weight : weights) (weight > 0.0 ? positive : negative) += weight;
  for (double& weight : weights) {
    weight *= weight >= 0.0 ? 1.0 / positive : negative_sum / -negative;
  }
}

}  // namespace

CmaRates::CmaRates(std::size_t coordinates, std::size_t points) : weights(raw_weights(points)) {
  const auto n = static_cast<double>(coordinates);
  const std::size_t mu = points / 2;
  mu_eff = effective(std::span(weights).first(mu));
  const double mu_eff_minus = effective(std::span(weights).subspan(mu));
  c_one = 2.0 / (square(n + 1.3) + mu_eff);
  c_mu = std::min(1.0 - c_one - tiny,
                  2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / (square(n + 2.0) + mu_eff));
  normalise(weights, std::min({1.0 + c_one / c_mu, 1.0 + 2.0 * mu_eff_minus / (mu_eff + 2.0),
                               (1.0 - c_one - c_mu) / (n * c_mu)}));
  c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
  d_sigma = 1.0 + 2.0 * std::max(0.0, std::sqrt((mu_eff - 1.0) / (n + 1.0)) - 1.0) + c_sigma;
  c_path = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
  chi = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * square(n)));
}

std::size_t points_of_generation(std::size_t coordinates) {
  return 4 + static_cast<std::size_t>(3.0 * sim::log(static_cast<double>(coordinates)));
}

NormalCloud::NormalCloud(std::vector<double> mean, double sigma, std::size_t points)
    : rates_(mean.size(), points),
      mean_(std::move(mean)),
      sigma_(sigma),
      sigma_first_(sigma),
      covariance_(mean_.size() * mean_.size(), 0.0),
      sigma_path_(mean_.size(), 0.0),
      path_(mean_.size(), 0.0) {
  SIM_ASSERT(!mean_.empty() && points >= 4, mean_.size(), points);
  for (std::size_t i = 0; i < mean_.size(); ++i) covariance_[i * mean_.size() + i] = 1.0;
  decompose();
}

double NormalCloud::deviation(std::size_t coordinate) const {
  return std::sqrt(covariance_[coordinate * mean_.size() + coordinate]);
}

std::vector<double> NormalCloud::sample(RandomStream& random) const {
  const std::size_t n = mean_.size();
  std::vector<double> step(n, 0.0);
  for (std::size_t axis = 0; axis < n; ++axis) {
    const double along = axes_.values[axis] * random.normal();
    for (std::size_t i = 0; i < n; ++i) step[i] += along * axes_.vectors[axis * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) step[i] = mean_[i] + sigma_ * step[i];
  return step;
}

void NormalCloud::update(std::span<const std::vector<double>> best_first) {
  SIM_ASSERT(best_first.size() == points(), best_first.size(), points());
  generation_ += 1.0;
  std::vector<std::vector<double>> steps(best_first.begin(), best_first.end());
  std::vector<double> step(mean_.size(), 0.0);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double weight = k < points() / 2 ? rates_.weights[k] : 0.0;
    for (std::size_t i = 0; i < step.size(); ++i) {
      steps[k][i] = (steps[k][i] - mean_[i]) / sigma_;
      step[i] += weight * steps[k][i];
    }
  }
  move_mean(step);
  const bool follows = move_sigma(step);
  move_covariance(step, follows, steps);
  decompose();
}

/// C^(-1/2) times a step.
std::vector<double> NormalCloud::whitened(std::span<const double> step) const {
  const std::size_t n = mean_.size();
  std::vector<double> white(n, 0.0);
  for (std::size_t axis = 0; axis < n; ++axis) {
    double along = 0.0;
    for (std::size_t i = 0; i < n; ++i) along += axes_.vectors[axis * n + i] * step[i];
    along /= axes_.values[axis];
    for (std::size_t i = 0; i < n; ++i) white[i] += along * axes_.vectors[axis * n + i];
  }
  return white;
}

void NormalCloud::move_mean(std::span<const double> step) {
  for (std::size_t i = 0; i < step.size(); ++i) mean_[i] += sigma_ * step[i];
}

bool NormalCloud::move_sigma(std::span<const double> step) {
  const double keeps = 1.0 - rates_.c_sigma;
  const double takes = std::sqrt(rates_.c_sigma * (2.0 - rates_.c_sigma) * rates_.mu_eff);
  const std::vector<double> white = whitened(step);
  for (std::size_t i = 0; i < white.size(); ++i) {
    sigma_path_[i] = keeps * sigma_path_[i] + takes * white[i];
  }
  const double length = std::sqrt(squared_length(sigma_path_));
  sigma_ *= sim::exp(rates_.c_sigma / rates_.d_sigma * (length / rates_.chi - 1.0));
  sigma_ = std::min(sigma_, sigma_max);
  const double begun = std::sqrt(1.0 - sim::pow(keeps, 2.0 * (generation_ + 1.0)));
  return length / begun < (1.4 + 2.0 / (static_cast<double>(white.size()) + 1.0)) * rates_.chi;
}

void NormalCloud::move_covariance(std::span<const double> step, bool follows,
                                  std::span<const std::vector<double>> steps) {
  const std::size_t n = mean_.size();
  const double c = rates_.c_path;
  const double takes = follows ? std::sqrt(c * (2.0 - c) * rates_.mu_eff) : 0.0;
  for (std::size_t i = 0; i < n; ++i) path_[i] = (1.0 - c) * path_[i] + takes * step[i];

  std::vector<double> weights = rates_.weights;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (weights[k] >= 0.0) continue;
    weights[k] *= static_cast<double>(n) / (squared_length(whitened(steps[k])) + tiny);
  }
  const double lost = follows ? 0.0 : c * (2.0 - c);
  const double total = std::accumulate(rates_.weights.begin(), rates_.weights.end(), 0.0);
  const double keeps = 1.0 + rates_.c_one * lost - rates_.c_one - rates_.c_mu * total;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rank_mu = 0.0;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        rank_mu += weights[k] * steps[k][i] * steps[k][j];
      }
      const double moved = keeps * covariance_[i * n + j] + rates_.c_one * path_[i] * path_[j] +
                           rates_.c_mu * rank_mu;
      covariance_[i * n + j] = moved;
      covariance_[j * n + i] = moved;
    }
  }
}

/// Axes of C, whose eigenvalues below 0 become small ones; C becomes what they make.
void NormalCloud::decompose() {
  const std::size_t n = mean_.size();
  axes_ = eigen_symmetric(covariance_, n);
  bool repaired = false;
  for (double& value : axes_.values) {
    repaired = repaired || value < 0.0;
    value = std::sqrt(value < 0.0 ? tiny : value);
  }
  if (!repaired) return;
  std::ranges::fill(covariance_, 0.0);
  for (std::size_t axis = 0; axis < n; ++axis) {
    const double* const vector = &axes_.vectors[axis * n];
    for (std::size_t i = 0; i < n; ++i) {
      const double along = square(axes_.values[axis]) * vector[i];
      for (std::size_t j = 0; j < n; ++j) covariance_[i * n + j] += along * vector[j];
    }
  }
}

bool NormalCloud::degenerate() const {
  constexpr double shrunk = 1e-12;
  constexpr double grown = 1e4;
  constexpr double condition = 1e14;
  const auto [least, most] = std::ranges::minmax(axes_.values);
  if (!(sigma_ * most <= grown) || !(most <= condition * least)) return true;
  const double small = shrunk * sigma_first_;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    if (sigma_ * square(deviation(i)) >= small || sigma_ * path_[i] >= small) return false;
  }
  return true;
}

}  // namespace cubicbench::search
