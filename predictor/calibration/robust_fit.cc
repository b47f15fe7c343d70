#include "predictor/calibration/robust_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/interruption.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int steps_max = 60;
constexpr double spread_min = 0.01;  // one percent is as good as measurements get
constexpr double difference = 1e-4;  // of a number's size, in derivatives
constexpr double damping_first = 1e-3;
constexpr double damping_max = 1e8;
constexpr double gain_min = 1e-7;       // of the loss, below which it has converged
constexpr double own_share_min = 1e-7;  // of what a number changes, that no others change alike

double spread_of(const VectorXd& residuals) {
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(residuals.size()));
  for (const double residual : residuals) sizes.push_back(std::abs(residual));
  return std::max(spread_min, 1.4826 * support::median_high(std::move(sizes)));
}

double loss_of(const VectorXd& residuals, double spread) {
  double sum = 0.0;
  for (const double r : residuals) sum += sim::log(1.0 + (r / spread) * (r / spread));
  return sum;
}

VectorXd weights_of(const VectorXd& residuals, double spread) {
  return residuals.unaryExpr([&](double r) { return 1.0 / (1.0 + (r / spread) * (r / spread)); });
}

/// What the loss's slope r w changes by with r, one where r is small: negative far out.
VectorXd slopes_of(const VectorXd& residuals, double spread) {
  return residuals.unaryExpr([&](double r) {
    const double u2 = (r / spread) * (r / spread);
    return (1.0 - u2) / ((1.0 + u2) * (1.0 + u2));
  });
}

/// The problem in numbers of size one.
class Scaled {
 public:
  explicit Scaled(const FitProblem& problem) : problem_(problem) {
    for (std::size_t i = 0; i < problem.start.size(); ++i) {
      const double size = std::abs(problem.start[i]);
      scale_.push_back(size > 0.0 ? size : 1.0);
    }
  }

  VectorXd start() const {
    VectorXd u(static_cast<Index>(scale_.size()));
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      u[static_cast<Index>(i)] = problem_.start[i] / scale_[i];
    }
    return inside(u);
  }

  VectorXd inside(VectorXd u) const {
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      double& x = u[static_cast<Index>(i)];
      x = std::clamp(x, problem_.lower[i] / scale_[i], problem_.upper[i] / scale_[i]);
    }
    return u;
  }

  std::vector<double> values(const VectorXd& u) const {
    std::vector<double> values(scale_.size());
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      values[i] =
          std::clamp(u[static_cast<Index>(i)] * scale_[i], problem_.lower[i], problem_.upper[i]);
    }
    return values;
  }

  VectorXd residuals(const VectorXd& u) const {
    support::end_if_interrupted();
    VectorXd r(static_cast<Index>(problem_.rows));
    problem_.residuals(values(u), std::span(r.data(), problem_.rows));
    return r;
  }

  MatrixXd derivatives(const VectorXd& u, const VectorXd& at) const {
    MatrixXd jacobian(at.size(), u.size());
    for (Index i = 0; i < u.size(); ++i) {
      VectorXd moved = u;
      const double size = difference * std::max(std::abs(u[i]), 0.1);
      const double upper =
          problem_.upper[static_cast<std::size_t>(i)] / scale_[static_cast<std::size_t>(i)];
      const double step = u[i] + size <= upper ? size : -size;
      moved[i] += step;
      jacobian.col(i) = (residuals(moved) - at) / step;
    }
    return jacobian;
  }

  double scale(std::size_t i) const { return scale_[i]; }

 private:
  const FitProblem& problem_;
  std::vector<double> scale_;
};

/// The inverse of J' W J, with nothing known in directions that no row holds.
MatrixXd pseudo_inverse(const MatrixXd& information) {
  return Eigen::CompleteOrthogonalDecomposition<MatrixXd>(information).pseudoInverse();
}

/// Which numbers are no combination of others as far as the rows tell.
std::vector<bool> told_apart(const MatrixXd& information) {
  const VectorXd size = information.diagonal().cwiseSqrt();
  const VectorXd scale = size.unaryExpr([](double x) { return x > 0.0 ? 1.0 / x : 0.0; });
  const MatrixXd correlation = scale.asDiagonal() * information * scale.asDiagonal();
  std::vector<bool> apart;
  for (Index k = 0; k < size.size(); ++k) {
    MatrixXd others = correlation;
    others.row(k).setZero();
    others.col(k).setZero();
    VectorXd shared = correlation.col(k);
    shared[k] = 0.0;
    const VectorXd combination = pseudo_inverse(others) * shared;
    apart.push_back(correlation(k, k) - shared.dot(combination) > own_share_min);
  }
  return apart;
}

MatrixXd sandwich(const MatrixXd& jacobian, const VectorXd& weighted, const MatrixXd& information,
                  const std::vector<std::size_t>& clusters) {
  const std::size_t count = *std::ranges::max_element(clusters) + 1;
  MatrixXd scores = MatrixXd::Zero(static_cast<Index>(count), jacobian.cols());
  for (Index i = 0; i < jacobian.rows(); ++i) {
    scores.row(static_cast<Index>(clusters[static_cast<std::size_t>(i)])) +=
        weighted[i] * jacobian.row(i);
  }
  const auto clusters_count = static_cast<double>(count);
  const double small_sample = count > 1 ? clusters_count / (clusters_count - 1.0) : 1.0;
  const MatrixXd bread = pseudo_inverse(information);
  return small_sample * bread * (scores.transpose() * scores) * bread;
}

}  // namespace

Fit robust_fit(const FitProblem& problem) {
  SIM_ASSERT(problem.rows > 0 && problem.clusters.size() == problem.rows, problem.rows);
  const Scaled scaled(problem);
  VectorXd u = scaled.start();
  VectorXd residuals = scaled.residuals(u);
  double damping = damping_first;
  MatrixXd jacobian = scaled.derivatives(u, residuals);
  for (int step = 0; step < steps_max && damping < damping_max; ++step) {
    const double spread = spread_of(residuals);
    const VectorXd weights = weights_of(residuals, spread);
    const MatrixXd information = jacobian.transpose() * weights.asDiagonal() * jacobian;
    const VectorXd slope = jacobian.transpose() * weights.cwiseProduct(residuals);
    const double before = loss_of(residuals, spread);
    MatrixXd damped = information;
    const double floor = 1e-9 * std::max(information.diagonal().maxCoeff(), 1e-300);
    for (Index i = 0; i < damped.rows(); ++i) {
      damped(i, i) += damping * std::max(information(i, i), floor);
    }
    const VectorXd next = scaled.inside(u - damped.ldlt().solve(slope));
    const VectorXd there = scaled.residuals(next);
    const double after = loss_of(there, spread);
    if (!(after < before)) {
      damping *= 4.0;
      continue;
    }
    u = next;
    residuals = there;
    damping = std::max(damping / 3.0, 1e-9);
    if (before - after < gain_min * before) break;
    jacobian = scaled.derivatives(u, residuals);
  }
  const double spread = spread_of(residuals);
  const VectorXd weights = weights_of(residuals, spread);
  jacobian = scaled.derivatives(u, residuals);
  const MatrixXd information = jacobian.transpose() * weights.asDiagonal() * jacobian;
  const MatrixXd curvature =
      jacobian.transpose() * slopes_of(residuals, spread).asDiagonal() * jacobian;
  const MatrixXd spread_of_values =
      sandwich(jacobian, weights.cwiseProduct(residuals), curvature, problem.clusters);
  Fit fit{.values = scaled.values(u), .told_apart = told_apart(information)};
  for (std::size_t i = 0; i < fit.values.size(); ++i) {
    const auto k = static_cast<Index>(i);
    fit.errors.push_back(information(k, k) > 0.0
                             ? scaled.scale(i) * std::sqrt(std::max(0.0, spread_of_values(k, k)))
                             : std::numeric_limits<double>::infinity());
  }
  return fit;
}

}  // namespace cubicbench::predictor
