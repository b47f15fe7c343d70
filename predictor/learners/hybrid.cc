#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/boosted_trees.h"
#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "predictor/learners/slow_state.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

/// Small steps, few of them: the simulator has said most.
constexpr TreeSettings difference_trees{
    .rounds = 150, .depth = 3, .learning_rate = 0.05, .row_share = 0.7, .column_share = 0.5};

constexpr TreeSettings feasibility_trees{.objective = TreeObjective::logistic,
                                         .rounds = 150,
                                         .depth = 3,
                                         .learning_rate = 0.1,
                                         .row_share = 0.7,
                                         .column_share = 0.7};

/// Limits values to two robust standard deviations about their median; the deviation is never taken
/// to be less than the 2 % by which repeats of a job differ.
void tame(std::vector<double>& values) {
  constexpr double deviations = 2.0;
  constexpr double deviation_min = 0.02;
  constexpr double normal_over_mad = 1.4826;
  const double middle = support::median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  const double most =
      deviations * std::max(deviation_min, normal_over_mad * support::median(std::move(distances)));
  for (double& value : values) value = std::clamp(value, middle - most, middle + most);
}

/// Launch features and physics.
FeatureMatrix all_features(const Encoding& encoding, const datasets::Dataset& data,
                           std::span<const std::size_t> jobs) {
  return side_by_side(encoding.encode(data, jobs), physics_features(data, jobs));
}

/// The training jobs that the simulator has an answer for, and the logarithms of their values.
struct Answered {
  std::vector<std::size_t> jobs;
  std::vector<double> values;
};

Answered answered(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  const std::vector<double> values = log_values(data, jobs);
  const std::vector<double> simulated = simulated_jobs(data, jobs).log_value;
  Answered kept;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (std::isnan(simulated[i])) continue;
    kept.jobs.push_back(jobs[i]);
    kept.values.push_back(values[i]);
  }
  return kept;
}

bool all_answered(const datasets::Dataset& data) {
  std::vector<std::size_t> jobs(data.jobs.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  return without_answer(data, jobs) == 0;
}

// Where the simulator has no answer, `xgboost` has: it sees the launch features of all training
// jobs. Of the others it says the more, the fewer training jobs the simulator could help with.
class Hybrid : public Model {
 public:
  Hybrid(const datasets::Dataset& data, std::span<const std::size_t> all, std::uint64_t seed)
      : unknown_(support::median(log_values(data, all))) {
    const Answered train = answered(data, all);
    trust_ = static_cast<double>(train.jobs.size()) / static_cast<double>(all.size());
    if (!all_answered(data)) launch_trees_ = xgboost_predictor().fit(data, all, seed);
    if (train.jobs.empty()) return;
    state_.emplace(data, train.jobs, train.values, seed);
    encoding_.emplace(data, train.jobs, EncodingForm::raw);
    const Known known = know(data, train.jobs);
    std::vector<double> differences = train.values;
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= known.base[i];
    tame(differences);
    trees_.emplace(known.features, differences, difference_trees, seed);
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted = launch_trees_ ? launch_trees_->predict(data, jobs)
                                                  : std::vector<double>(jobs.size(), unknown_);
    if (!trees_) return predicted;
    const Known known = know(data, jobs);
    const std::vector<double> differences = trees_->predict(known.features);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (std::isnan(known.base[i])) continue;
      const double corrected = known.base[i] + differences[i];
      predicted[i] = trust_ * corrected + (1.0 - trust_) * predicted[i];
    }
    return predicted;
  }

 private:
  /// What is known of jobs before the trees are asked.
  struct Known {
    std::vector<double> base;  ///< the simulator's answer between its two states
    FeatureMatrix features{};
  };

  Known know(const datasets::Dataset& data, std::span<const std::size_t> jobs) const {
    const SimulatedJobs simulated = simulated_jobs(data, jobs);
    const std::vector<double> shares = state_->shares(data, jobs);
    Known known{.base = simulated.log_value};
    FeatureMatrix state{.rows = jobs.size(), .columns = 3};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      known.base[i] += shares[i] * simulated.slow_shift[i];
      state.cells.insert(state.cells.end(), {simulated.slow_shift[i], shares[i], known.base[i]});
    }
    known.features = side_by_side(all_features(*encoding_, data, jobs), state);
    return known;
  }

  double unknown_;      ///< of a job without an answer, when all jobs fitted with had one
  double trust_ = 0.0;  ///< the share of the training jobs that the simulator has an answer for
  std::unique_ptr<const Model> launch_trees_;  ///< none when it answers for every job
  std::optional<SlowState> state_;
  std::optional<Encoding> encoding_;
  std::optional<BoostedTrees> trees_;
};

class HybridFeasibility : public Model {
 public:
  HybridFeasibility(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                    std::uint64_t seed)
      : memory_(data, jobs), encoding_(feasibility_encoding(data, jobs)) {
    if (!all_answered(data)) launch_head_ = fit_feasibility(data, jobs, seed);
    std::vector<double> labels;
    for (const std::size_t job : jobs) labels.push_back(fits(data.jobs[job]) ? 1.0 : 0.0);
    if (std::ranges::count(labels, labels.front()) == std::ssize(labels)) return;
    trees_.emplace(all_features(encoding_, data, jobs), labels, feasibility_trees, seed);
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted = memory_.logits(data, jobs);
    if (trees_) {
      const std::vector<double> seen = trees_->predict(all_features(encoding_, data, jobs));
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        predicted[i] = 0.5 * (predicted[i] + logit_of(seen[i]));
      }
    }
    for (double& value : predicted) value = probability_of(value);
    if (launch_head_) ask_launch_head(data, jobs, predicted);
    return predicted;
  }

 private:
  /// Of jobs whose memory nobody simulated.
  void ask_launch_head(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                       std::vector<double>& predicted) const {
    const std::vector<double> memory = simulated_jobs(data, jobs).log_memory;
    const std::vector<double> of_launch = launch_head_->predict(data, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (std::isnan(memory[i])) predicted[i] = of_launch[i];
    }
  }

  MemoryHead memory_;
  Encoding encoding_;
  std::unique_ptr<const Model> launch_head_;  ///< none when the simulator answers for every job
  std::optional<BoostedTrees> trees_;
};

}  // namespace

/// The simulator's answer, between its normal and its slow state as the training jobs show
/// (slow_state.h), and boosted trees for what they differ from that. A few hung jobs do not matter:
/// differences count up to two robust standard deviations. Feasibility: the mean of two logits, of
/// the simulator's memory and of trees that see it beside the launch features. Jobs that the
/// simulator has no answer for get what `xgboost` and the shared feasibility head say of them.
PredictorEntry hybrid_predictor() {
  return {
      .name = "hybrid",
      .summary = "The simulator in the state that the jobs show, and boosted trees for the rest",
      .asks_simulator = true,
      .fit = fit_as<Hybrid>,
      .fit_feasibility = fit_as<HybridFeasibility>};
}

}  // namespace cubicbench::predictor
