#include <algorithm>
#include <map>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/registry.h"
#include "sim/base/numeric.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

struct Point {
  double log2_gpus = 0.0;
  double log_value = 0.0;
};

double log2_gpus(const datasets::Job& job) { return sim::log2(static_cast<double>(job.gpus)); }

double on_line(const Point& a, const Point& b, double x) {
  return a.log_value +
         (b.log_value - a.log_value) * ((x - a.log2_gpus) / (b.log2_gpus - a.log2_gpus));
}

class GpuCount : public Model {
 public:
  GpuCount(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
    std::map<double, std::vector<double>> by_count;
    const std::vector<double> values = log_values(data, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      by_count[log2_gpus(data.jobs[jobs[i]])].push_back(values[i]);
    }
    for (const auto& [count, of_count] : by_count) {
      points_.push_back({count, support::median(of_count)});
    }
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted;
    predicted.reserve(jobs.size());
    for (const std::size_t job : jobs) predicted.push_back(value_at(log2_gpus(data.jobs[job])));
    return predicted;
  }

 private:
  double value_at(double x) const {
    if (points_.size() == 1) return points_.front().log_value;
    const auto not_below = std::ranges::lower_bound(points_, x, {}, &Point::log2_gpus);
    if (not_below != points_.end() && not_below->log2_gpus == x) return not_below->log_value;
    const auto right = std::clamp(not_below, points_.begin() + 1, points_.end() - 1);
    return on_line(*(right - 1), *right, x);
  }

  std::vector<Point> points_;  ///< ascending in GPUs
};

}  // namespace

/// The median logarithm of each GPU count, with straight lines in log2 GPUs between counts and
/// beyond the first and last two: what the size of a job alone tells.
PredictorEntry gpu_count_predictor() {
  return {.name = "gpu-count",
          .summary = "The median of each GPU count, straight lines in log2 GPUs between",
          .fit = fit_as<GpuCount>};
}

}  // namespace cubicbench::predictor
