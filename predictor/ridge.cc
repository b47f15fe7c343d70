#include "predictor/ridge.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "predictor/eigen_blocking.h"
#include "predictor/encoding.h"

namespace cubicbench::predictor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Penalties that are tried, of standardised features and a job each, from strong to weak.
constexpr std::array penalties{100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3};

/// Jobs whose own value moves their estimate by more than this say nothing when left out.
constexpr double leverage_max = 1.0 - 1e-9;

/// The features, and their squares less one, which are about 0 on average too. [rows x 2 features]
MatrixXd with_squares(const FeatureMatrix& features) {
  const auto rows = static_cast<Eigen::Index>(features.rows);
  const auto columns = static_cast<Eigen::Index>(features.columns);
  MatrixXd matrix(rows, 2 * columns);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const std::span<const double> row = features.row(static_cast<std::size_t>(r));
    for (Eigen::Index c = 0; c < columns; ++c) {
      const double value = row[static_cast<std::size_t>(c)];
      matrix(r, c) = value;
      matrix(r, columns + c) = value * value - 1.0;
    }
  }
  return matrix;
}

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
      : encoding_(data, jobs, EncodingForm::standardised) {
    const std::vector<double> values = log_values(data, jobs);
    const VectorXd y =
        Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    value_mean_ = y.mean();
    if (encoding_.columns() == 0) return;
    const MatrixXd x = with_squares(encoding_.encode(data, jobs));
    means_ = x.colwise().mean();
    weights_ = best_weights(x.rowwise() - means_, y.array() - value_mean_);
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted(jobs.size(), value_mean_);
    if (encoding_.columns() == 0) return predicted;
    const MatrixXd x = with_squares(encoding_.encode(data, jobs));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      predicted[i] += (x.row(row) - means_).dot(weights_);
    }
    return predicted;
  }

 private:
  Encoding encoding_;
  double value_mean_ = 0.0;
  Eigen::RowVectorXd means_;
  VectorXd weights_;
};

std::unique_ptr<const Model> fit(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                                 std::uint64_t) {
  fix_eigen_blocking();
  return std::make_unique<Ridge>(data, jobs);
}

}  // namespace

PredictorEntry ridge_predictor() {
  return {.name = "ridge",
          .summary = "Ridge regression of the logarithm on features and their squares",
          .fit = fit};
}

}  // namespace cubicbench::predictor
