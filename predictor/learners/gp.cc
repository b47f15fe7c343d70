#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/encoding/feature_levels.h"
#include "predictor/gaussian_process/gaussian_process.h"
#include "predictor/gaussian_process/kernel_choice.h"
#include "predictor/learners/registry.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

/// The kernel is chosen by so many jobs at most, which stand evenly among all.
constexpr std::size_t choosing_jobs = 150;
constexpr double span_max = 1.5;

/// The levels of a feature on an axis, as far apart as the values are: (levels - 1) / 2 in all, at
/// most 1.5.
KnobAxis axis_of(const FeatureLevels& levels, std::size_t column) {
  KnobAxis axis{.places = levels.places(column)};
  const auto [low, high] = std::ranges::minmax(axis.places);
  const double known = static_cast<double>(axis.places.size()) - 1.0;
  const double span = std::min(span_max, 0.5 * (known - 1.0));
  const double unit = high > low ? span / (high - low) : 0.0;
  for (double& place : axis.places) place = (place - low) * unit;
  return axis;
}

template <typename Row>
std::vector<Row> spread(const std::vector<Row>& rows) {
  const std::size_t step = (rows.size() + choosing_jobs - 1) / choosing_jobs;
  std::vector<Row> some;
  for (std::size_t i = 0; i < rows.size(); i += step) some.push_back(rows[i]);
  return some;
}

bool all_equal(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

class Gp : public Model {
 public:
  Gp(const datasets::Dataset& data, std::span<const std::size_t> jobs)
      : encoding_(data, jobs, EncodingForm::standardised), levels_(encoding_.encode(data, jobs)) {
    const std::vector<double> targets = log_values(data, jobs);
    mean_ = support::mean(targets);
    const std::vector<double> chosen_by = spread(targets);
    if (levels_.columns() == 0 || all_equal(chosen_by)) return;
    std::vector<KnobAxis> axes;
    for (std::size_t i = 0; i < levels_.columns(); ++i) axes.push_back(axis_of(levels_, i));
    const FeatureMatrix features = encoding_.encode(data, jobs);
    std::vector<Levels> rows;
    for (std::size_t row = 0; row < features.rows; ++row) {
      rows.push_back(levels_.of(features.row(row)));
    }
    const KernelSearch search{.noises = {0.001, 0.01, 0.05, 0.15}, .sweeps = 1};
    process_ =
        process_of(axes, rows, targets, choose_kernel(axes, spread(rows), chosen_by, search));
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted(jobs.size(), mean_);
    if (!process_) return predicted;
    const FeatureMatrix features = encoding_.encode(data, jobs);
    std::vector<double> k(process_->rows());
    for (std::size_t row = 0; row < features.rows; ++row) {
      process_->correlate(levels_.of(features.row(row)), k);
      predicted[row] = process_->mean_at(k);
    }
    return predicted;
  }

 private:
  Encoding encoding_;
  FeatureLevels levels_;
  double mean_ = 0.0;
  std::optional<GaussianProcess> process_;  ///< nothing where jobs do not differ
};

}  // namespace

/// A Gaussian process of the logarithm [RasmussenWilliams06], with the kernel and the choice of its
/// scales that the searchers `gp` and `constrained-gp` use.
PredictorEntry gp_predictor() {
  return {.name = "gp",
          .summary = "A Gaussian process of the logarithm, a length scale for each feature",
          .fit = fit_as<Gp>};
}

}  // namespace cubicbench::predictor
