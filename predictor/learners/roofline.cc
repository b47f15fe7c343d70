#include <cmath>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

class Roofline : public Model {
 public:
  Roofline(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
    const std::vector<double> values = log_values(data, jobs);
    const SimulatedJobs simulated = simulated_jobs(data, jobs);
    std::vector<double> offsets;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const double offset = values[i] - simulated.log_value[i];
      if (!std::isnan(offset)) offsets.push_back(offset);
    }
    if (!offsets.empty()) offset_ = support::median(std::move(offsets));
    unknown_ = support::median(values);
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted = simulated_jobs(data, jobs).log_value;
    for (double& value : predicted) value = std::isnan(value) ? unknown_ : value + offset_;
    return predicted;
  }

 private:
  double offset_ = 0.0;
  double unknown_ = 0.0;  ///< where the simulator has no answer
};

class RooflineFeasibility : public Model {
 public:
  RooflineFeasibility(const datasets::Dataset& data, std::span<const std::size_t> jobs)
      : head_(data, jobs) {}

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted = head_.logits(data, jobs);
    for (double& value : predicted) value = probability_of(value);
    return predicted;
  }

 private:
  MemoryHead head_;
};

}  // namespace

/// The simulator's own answer, moved by the median difference of the training jobs; feasibility
/// from its memory. Of jobs that the simulator has no answer for, the training jobs' median.
PredictorEntry roofline_predictor() {
  return {.name = "roofline",
          .summary = "The simulator's answer, moved by the median difference of the training jobs",
          .asks_simulator = true,
          .fit = fit_as<Roofline>,
          .fit_feasibility = fit_as<RooflineFeasibility>};
}

}  // namespace cubicbench::predictor
