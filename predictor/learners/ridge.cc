#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/registry.h"
#include "predictor/neural/eigen_blocking.h"

namespace cubicbench::predictor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Penalties that are tried, of standardised features and a job each, from strong to weak.
constexpr std::array penalties{100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3};

/// Jobs whose own value moves their estimate by more than this say nothing when left out.
constexpr double leverage_max = 1.0 - 1e-9;

/// Features have a standard deviation of one; a square below this does not vary but by rounding.
constexpr double scale_min = 1e-9;

/// Features, and squares of those with more than two values (the square of two values is a line of
/// them), each centred and divided by its standard deviation among the training jobs.
class Expansion {
 public:
  explicit Expansion(const FeatureMatrix& training) {
    for (std::size_t feature = 0; feature < training.columns; ++feature) {
      add(training, {.feature = feature});
      if (has_three_values(training, feature)) add(training, {.feature = feature, .square = true});
    }
  }

  /// [rows x terms]
  MatrixXd of(const FeatureMatrix& features) const {
    MatrixXd matrix(static_cast<Eigen::Index>(features.rows),
                    static_cast<Eigen::Index>(terms_.size()));
    for (std::size_t r = 0; r < features.rows; ++r) {
      for (std::size_t t = 0; t < terms_.size(); ++t) {
        matrix(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(t)) =
            (terms_[t].raw(features.row(r)) - terms_[t].mean) / terms_[t].scale;
      }
    }
    return matrix;
  }

  bool is_empty() const { return terms_.empty(); }

 private:
  struct Term {
    std::size_t feature = 0;
    bool square = false;
    double mean = 0.0, scale = 1.0;

    double raw(std::span<const double> row) const {
      return square ? row[feature] * row[feature] : row[feature];
    }
  };

  static bool has_three_values(const FeatureMatrix& training, std::size_t feature) {
    const double first = training.row(0)[feature];
    double second = first;
    for (std::size_t r = 1; r < training.rows; ++r) {
      const double value = training.row(r)[feature];
      if (second == first) second = value;
      if (value != first && value != second) return true;
    }
    return false;
  }

  void add(const FeatureMatrix& training, Term term) {
    VectorXd values(static_cast<Eigen::Index>(training.rows));
    for (std::size_t r = 0; r < training.rows; ++r) {
      values(static_cast<Eigen::Index>(r)) = term.raw(training.row(r));
    }
    term.mean = values.mean();
    term.scale =
        std::sqrt((values.array() - term.mean).square().sum() / static_cast<double>(training.rows));
    if (term.scale > scale_min) terms_.push_back(term);
  }

  std::vector<Term> terms_;
};

/// Weights of the centred columns X for the centred y, at the penalty with the least error of jobs
/// left out. With X'X = V S V' and Z = X V, the estimate at penalty p is Z (S + p)^-1 Z'y, job i's
/// own share in it h_i = 1/n + sum_k Z_ik^2 / (S_k + p), and its error when it is left out
/// (y_i - estimate_i) / (1 - h_i): no fit is repeated.
VectorXd best_weights(const MatrixXd& x, const VectorXd& y) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(x.transpose() * x);
  const VectorXd spectrum = solver.eigenvalues().cwiseMax(0.0);
  const MatrixXd z = x * solver.eigenvectors();
  const VectorXd zy = z.transpose() * y;
  const double rows = static_cast<double>(x.rows());
  VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  for (const double penalty : penalties) {
    const VectorXd shrunk = (spectrum.array() + penalty * rows).inverse();
    const VectorXd weights = shrunk.cwiseProduct(zy);
    const VectorXd leverage = (z.cwiseAbs2() * shrunk).array() + 1.0 / rows;
    const VectorXd kept = 1.0 - leverage.array().min(leverage_max);
    const double error = (y - z * weights).cwiseQuotient(kept).squaredNorm();
    if (error < least) {
      least = error;
      best = weights;
    }
  }
  return solver.eigenvectors() * best;
}

class Ridge : public Model {
 public:
  Ridge(const datasets::Dataset& data, std::span<const std::size_t> jobs)
      : encoding_(data, jobs, EncodingForm::standardised),
        expansion_(encoding_.encode(data, jobs)) {
    fix_eigen_blocking();
    const std::vector<double> values = log_values(data, jobs);
    const VectorXd y =
        Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    value_mean_ = y.mean();
    if (expansion_.is_empty()) return;
    weights_ = best_weights(expansion_.of(encoding_.encode(data, jobs)), y.array() - value_mean_);
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted(jobs.size(), value_mean_);
    if (expansion_.is_empty()) return predicted;
    const MatrixXd x = expansion_.of(encoding_.encode(data, jobs));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      predicted[i] += x.row(static_cast<Eigen::Index>(i)).dot(weights_);
    }
    return predicted;
  }

 private:
  Encoding encoding_;
  Expansion expansion_;
  double value_mean_ = 0.0;
  VectorXd weights_;
};

}  // namespace

/// Ridge regression of the logarithm on the standardised features and their squares; the penalty is
/// the one with the least squared error when each training job is left out in turn.
PredictorEntry ridge_predictor() {
  return {.name = "ridge",
          .summary = "Ridge regression of the logarithm on features and their squares",
          .fit = fit_as<Ridge>};
}

}  // namespace cubicbench::predictor
