#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/jobs/dataset.h"

namespace cubicbench::predictor {

/// What a learner made of its training jobs. Never changed; threads may share it.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  /// One number a job of `data`, which has the columns of the training data: greater for a greater
  /// target. A model whose entry says `calibrated` estimates the target's natural logarithm.
  virtual std::vector<double> predict(const datasets::Dataset& data,
                                      std::span<const std::size_t> jobs) const = 0;
};

/// A predictor that ships.
struct PredictorEntry {
  std::string_view name;
  std::string_view summary;
  bool asks_simulator = false;  ///< so it is privileged where outcomes are simulated
  bool calibrated = true;       ///< false: it was trained on order alone
  /// Learns from `jobs`, each of which has a value. A pure function of its arguments. Requires at
  /// least one job. Predictions are finite whatever the data.
  std::unique_ptr<const Model> (*fit)(const datasets::Dataset& data,
                                      std::span<const std::size_t> jobs, std::uint64_t seed);
  /// Learns from jobs that fit and jobs that do not; predicts the probability, in [0, 1], that a
  /// job fits. Null for predictors without a head of their own, which share fit_feasibility().
  std::unique_ptr<const Model> (*fit_feasibility)(const datasets::Dataset& data,
                                                  std::span<const std::size_t> jobs,
                                                  std::uint64_t seed) = nullptr;
};

}  // namespace cubicbench::predictor
