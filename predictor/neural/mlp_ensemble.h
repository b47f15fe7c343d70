#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/neural/mlp_network.h"

namespace cubicbench::predictor {

/// What the networks of an ensemble are trained to do.
enum class MlpLoss {
  ranking,   ///< order rows as the targets do
  squared,   ///< say the target
  logistic,  ///< say the probability that the target is 1; targets are 0 and 1
};

/// How an ensemble is trained. Members and width are those of [Yin23]; its margin of 0.001 without
/// decay of the weights orders worse, both measured launches of 853 real jobs (Kendall's tau from
/// 150 of them 0.830 against 0.847) and simulated ones of `ads-73b` (0.852 against 0.906, of the
/// noise-free values), so the margin is a fraction of what the scores spread, and weights decay.
struct MlpOptions {
  MlpLoss loss = MlpLoss::ranking;
  std::size_t members = 10;
  std::size_t hidden = 50;        ///< width of each of the two hidden layers
  double margin = 0.5;            ///< of the ranking loss, in units of the score
  std::size_t batch = 32;         ///< rows of a step; the ranking loss takes all pairs of them
  std::size_t epochs = 60;        ///< passes through the rows ...
  std::size_t steps_max = 1'500;  ///< ... but no more steps than this
  double rate = 0.01;             ///< of Adam at the first step, falling linearly to zero
  double decay = 1.0;             ///< of the weights, per step and unit of rate [Loshchilov19]
  /// Each member learns from as many rows drawn with replacement, so that members disagree where
  /// the rows leave room [Breiman96].
  bool resample = false;
  std::uint64_t seed = 0;
};

/// Small networks, features -> hidden -> hidden -> 1 with rectifiers, that differ in their first
/// weights and in the order of their examples; their mean is the prediction. A category enters as a
/// learnt vector. Never changed once fitted; threads may share it. A pure function of its
/// arguments, the same bits on every x86-64 machine.
class MlpEnsemble {
 public:
  /// `cells` is [rows x columns], row after row, and `targets` has a finite entry a row, of which
  /// there is at least one.
  MlpEnsemble(std::span<const datasets::Column> columns, std::span<const double> cells,
              std::span<const double> targets, const MlpOptions& options);

  /// One number a row of `cells`, [rows x columns]: for `ranking` the mean of the members' scores,
  /// each in standard deviations from its mean over the training rows; for `squared` the target;
  /// for `logistic` a probability. Rows do not influence each other.
  std::vector<double> predict(std::span<const double> cells, std::size_t rows) const;

  /// The same of `count` members, the first of them `begin`: their mean, a number a row.
  std::vector<double> predict(std::span<const double> cells, std::size_t rows, std::size_t begin,
                              std::size_t count) const;

  std::size_t members() const { return options_.members; }

 private:
  /// Where a trained member's parts lie; see mlp_ensemble.cc.
  struct Member {
    std::vector<float> second;  ///< [hidden x hidden], column after column
    std::vector<float> second_bias;
    std::vector<float> last;
    float last_bias = 0.0F;
    double shift = 0.0;  ///< prediction = shift + scale x output
    double scale = 1.0;
  };

  void first_layer(std::span<const double> row, std::size_t begin, std::span<float> hidden) const;

  MlpOptions options_;
  std::size_t columns_;
  MlpInput input_;
  std::vector<Member> members_;
  // The first layer of all members side by side. A category's embedding and the weights it meets
  // are one product, so a row is a sum of as many vectors as it has columns.
  std::vector<float> first_bias_;             ///< [members x hidden]
  std::vector<float> first_of_number_;        ///< [numbers][members x hidden]
  std::vector<std::vector<float>> first_of_;  ///< by category: [vectors][members x hidden]
};

}  // namespace cubicbench::predictor
