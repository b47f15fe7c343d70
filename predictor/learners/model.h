#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
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

/// Learns from `jobs`, of which there is at least one. A pure function of its arguments.
using Learn = std::unique_ptr<const Model>(const datasets::Dataset& data,
                                           std::span<const std::size_t> jobs, std::uint64_t seed);

/// Learns as the constructor of `Learner` does, which may do without a seed.
template <class Learner>
std::unique_ptr<const Model> fit_as(const datasets::Dataset& data,
                                    std::span<const std::size_t> jobs, std::uint64_t seed) {
  if constexpr (std::is_constructible_v<Learner, decltype(data), decltype(jobs), decltype(seed)>) {
    return std::make_unique<Learner>(data, jobs, seed);
  } else {
    return std::make_unique<Learner>(data, jobs);
  }
}

/// A predictor that ships.
struct PredictorEntry {
  std::string_view name;
  std::string_view summary;
  bool asks_simulator = false;  ///< so it is privileged where outcomes are simulated
  bool calibrated = true;       ///< false: it was trained on order alone
  /// Learns from `jobs`, each of which has a value. Predictions are finite whatever the data.
  Learn* fit;
  /// Learns from jobs that fit and jobs that do not; predicts the probability, in [0, 1], that a
  /// job fits. Null for predictors without a head of their own, which share fit_feasibility().
  Learn* fit_feasibility = nullptr;
};

/// A model that predicts `value` of every job.
std::unique_ptr<const Model> constant_model(double value);

}  // namespace cubicbench::predictor
