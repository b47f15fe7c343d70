#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/registry.h"
#include "predictor/neural/mlp_ensemble.h"

namespace cubicbench::predictor {
namespace {

std::vector<double> cells_of(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  std::vector<double> cells;
  cells.reserve(jobs.size() * data.columns.size());
  for (const std::size_t job : jobs) {
    const std::span<const double> row = data.row(job);
    cells.insert(cells.end(), row.begin(), row.end());
  }
  return cells;
}

class Mlp final : public Model {
 public:
  explicit Mlp(MlpEnsemble ensemble) : ensemble_(std::move(ensemble)) {}

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    return ensemble_.predict(cells_of(data, jobs), jobs.size());
  }

 private:
  MlpEnsemble ensemble_;
};

template <MlpLoss loss>
std::unique_ptr<const Model> fit(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                                 std::uint64_t seed) {
  return std::make_unique<Mlp>(MlpEnsemble(data.columns, cells_of(data, jobs),
                                           log_values(data, jobs), {.loss = loss, .seed = seed}));
}

}  // namespace

/// MlpEnsemble with its defaults: trained on the order of pairs, and on the logarithm itself.
PredictorEntry mlp_predictor() {
  return {.name = "mlp",
          .summary = "Ten small neural networks that learn which of two jobs is the faster",
          .calibrated = false,
          .fit = fit<MlpLoss::ranking>};
}

PredictorEntry mlp_squared_predictor() {
  return {.name = "mlp-squared",
          .summary = "Ten small neural networks, squared error on the logarithm",
          .fit = fit<MlpLoss::squared>};
}

}  // namespace cubicbench::predictor
