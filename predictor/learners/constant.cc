#include "predictor/encoding/encoding.h"
#include "predictor/learners/registry.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

class Constant : public Model {
 public:
  explicit Constant(double value) : value_(value) {}

  std::vector<double> predict(const datasets::Dataset&,
                              std::span<const std::size_t> jobs) const override {
    return std::vector<double>(jobs.size(), value_);
  }

 private:
  double value_;
};

std::unique_ptr<const Model> fit(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                                 std::uint64_t) {
  return constant_model(support::median(log_values(data, jobs)));
}

}  // namespace

std::unique_ptr<const Model> constant_model(double value) {
  return std::make_unique<Constant>(value);
}

/// The median of all: what any other predictor has to beat.
PredictorEntry constant_predictor() {
  return {.name = "constant", .summary = "The median of the training jobs", .fit = fit};
}

}  // namespace cubicbench::predictor
