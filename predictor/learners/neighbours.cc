#include <algorithm>
#include <array>
#include <compare>
#include <limits>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/registry.h"
#include "support/interruption.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr std::array<std::size_t, 8> counts{1, 2, 3, 4, 6, 8, 12, 16};
constexpr std::size_t count_max = counts.back();
/// Added to squared distances, so that jobs with equal features share their mean.
constexpr double distance_floor = 1e-6;

struct Neighbour {
  double distance = 0.0;  ///< squared
  std::size_t row = 0;

  auto operator<=>(const Neighbour&) const = default;
};

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The rows of `features` nearest to `point`, at most count_max, the nearest first; without `left`.
std::vector<Neighbour> nearest(const FeatureMatrix& features, std::span<const double> point,
                               std::size_t left) {
  support::end_if_interrupted();
  std::vector<Neighbour> all;
  for (std::size_t row = 0; row < features.rows; ++row) {
    if (row != left) {
      all.push_back({.distance = squared_distance(features.row(row), point), .row = row});
    }
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count_max, all.size()));
  std::partial_sort(all.begin(), all.begin() + kept, all.end());
  all.resize(static_cast<std::size_t>(kept));
  return all;
}

/// Of the neighbours' values, the nearer the heavier.
double value_near(std::span<const Neighbour> neighbours, std::span<const double> values) {
  std::vector<double> near;
  std::vector<double> weights;
  for (const Neighbour& neighbour : neighbours) {
    near.push_back(values[neighbour.row]);
    weights.push_back(1.0 / (neighbour.distance + distance_floor));
  }
  return support::weighted_mean(near, weights);
}

std::size_t best_count(const FeatureMatrix& features, std::span<const double> values) {
  std::array<double, counts.size()> errors{};
  for (std::size_t row = 0; row < features.rows; ++row) {
    const std::vector<Neighbour> near = nearest(features, features.row(row), row);
    if (near.empty()) return 1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::span used = std::span(near).first(std::min(counts[i], near.size()));
      const double off = value_near(used, values) - values[row];
      errors[i] += off * off;
    }
  }
  return counts[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
}

class Neighbours : public Model {
 public:
  Neighbours(const datasets::Dataset& data, std::span<const std::size_t> jobs)
      : encoding_(data, jobs, EncodingForm::standardised),
        features_(encoding_.encode(data, jobs)),
        values_(log_values(data, jobs)),
        count_(best_count(features_, values_)) {}

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    const FeatureMatrix points = encoding_.encode(data, jobs);
    std::vector<double> predicted;
    predicted.reserve(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const std::vector<Neighbour> near = nearest(features_, points.row(i), none);
      predicted.push_back(
          value_near(std::span(near).first(std::min(count_, near.size())), values_));
    }
    return predicted;
  }

 private:
  Encoding encoding_;
  FeatureMatrix features_;
  std::vector<double> values_;
  std::size_t count_;
};

}  // namespace

/// The mean logarithm of the k training jobs whose standardised features are nearest, weighted by
/// the inverse squared distance; k is the one with the least squared error when each training job
/// is left out in turn.
PredictorEntry knn_predictor() {
  return {.name = "knn",
          .summary = "The nearest training jobs, weighted by inverse squared distance",
          .fit = fit_as<Neighbours>};
}

}  // namespace cubicbench::predictor
