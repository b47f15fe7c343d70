#include "predictor/judging/repeat_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>

#include "predictor/encoding/encoding.h"
#include "predictor/judging/quality.h"
#include "predictor/learners/feasibility.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/statistics/classification.h"
#include "support/statistics/correlation.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr std::size_t jobs_of_a_gpu_count_min = 5;
constexpr double log_value_max = 700.0;  ///< exp() of more than 709 is infinite

std::vector<double> values_of(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  std::vector<double> values;
  values.reserve(jobs.size());
  for (const std::size_t job : jobs) values.push_back(*data.jobs[job].value);
  return values;
}

double log_gpus(const datasets::Job& job) { return sim::log(static_cast<double>(job.gpus)); }

double mape_of(std::span<const double> log_predicted, std::span<const double> values) {
  std::vector<double> predicted;
  for (const double value : log_predicted) {
    predicted.push_back(sim::exp(std::min(value, log_value_max)));
  }
  return mean_absolute_percentage_error(predicted, values);
}

std::optional<double> within_gpu_count(const datasets::Dataset& data,
                                       std::span<const std::size_t> jobs,
                                       std::span<const double> predicted) {
  struct Group {
    std::vector<double> predicted, measured;
  };
  std::map<std::int64_t, Group> groups;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Group& group = groups[data.jobs[jobs[i]].gpus];
    group.predicted.push_back(predicted[i]);
    group.measured.push_back(*data.jobs[jobs[i]].value);
  }
  std::vector<double> taus;
  for (const auto& [gpus, group] : groups) {
    if (group.measured.size() < jobs_of_a_gpu_count_min) continue;
    taus.push_back(support::kendall_tau_b(group.predicted, group.measured));
  }
  if (taus.empty()) return std::nullopt;
  return support::mean_and_sd(taus).mean;
}

/// The slope of the least-squares line of `y` over `x`; 0 where x does not vary.
double slope_of(std::span<const double> x, std::span<const double> y) {
  const double mean_x = support::mean_and_sd(x).mean;
  const double mean_y = support::mean_and_sd(y).mean;
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0.0 ? xy / xx : 0.0;
}

// Scores have no unit: the training jobs say how much of a logarithm one of them is worth.
void add_total(const datasets::Dataset& data, const datasets::Split& split,
               const Predicted& predicted, RepeatScores& scores) {
  const double unit =
      predicted.calibrated ? 1.0 : slope_of(predicted.of_train, log_values(data, split.train));
  std::vector<double> totals;
  std::vector<double> measured;
  for (std::size_t i = 0; i < split.test.size(); ++i) {
    const datasets::Job& job = data.jobs[split.test[i]];
    totals.push_back(unit * predicted.of_test[i] + log_gpus(job));
    measured.push_back(*job.value * static_cast<double>(job.gpus));
  }
  scores.kendall_of_total = support::kendall_tau_b(totals, measured);
  scores.spearman_of_total = support::spearman_rho(totals, measured);
  // A common factor changes no r: rates over the greatest stay within the range of numbers.
  const double greatest = std::ranges::max(totals);
  for (double& total : totals) total = sim::exp(total - greatest);
  scores.pearson_of_total = support::pearson_r(totals, measured);
}

}  // namespace

RepeatScores score_repeat(const datasets::Dataset& data, const datasets::Split& split,
                          const Predicted& predicted) {
  const std::vector<double>& guess = predicted.of_test;
  SIM_ASSERT(guess.size() == split.test.size(), guess.size(), split.test.size());
  SIM_ASSERT(std::ranges::all_of(guess, [](double value) { return std::isfinite(value); }));
  const std::vector<double> values = values_of(data, split.test);
  RepeatScores scores{.kendall = support::kendall_tau_b(guess, values),
                      .spearman = support::spearman_rho(guess, values),
                      .pearson_log = support::pearson_r(guess, log_values(data, split.test)),
                      .within_gpu_count_kendall = within_gpu_count(data, split.test, guess)};
  if (predicted.calibrated) scores.mape = mape_of(guess, values);
  if (is_per_gpu(data)) add_total(data, split, predicted, scores);
  for (std::size_t i = 0; i < std::size(top_ks); ++i) {
    const std::size_t k = std::min(static_cast<std::size_t>(top_ks[i]), values.size());
    // Predictors promise a greater number for a greater target, also where less is better.
    scores.top_k_recall[i] = top_k_recall(guess, values, k, data.direction);
    scores.regret_at[i] = regret_at_k(guess, values, k, data.direction);
  }
  return scores;
}

FeasibilityScores score_feasibility(const datasets::Dataset& data,
                                    std::span<const std::size_t> jobs,
                                    std::span<const double> probabilities) {
  SIM_ASSERT(jobs.size() == probabilities.size(), jobs.size(), probabilities.size());
  const auto fails = std::make_unique<bool[]>(jobs.size());
  std::vector<double> scores;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    SIM_ASSERT(probabilities[i] >= 0.0 && probabilities[i] <= 1.0, probabilities[i]);
    fails[i] = !fits(data.jobs[jobs[i]]);
    scores.push_back(1.0 - probabilities[i]);
  }
  const std::span<const bool> positive(fails.get(), jobs.size());
  return {.auroc = support::area_under_roc(scores, positive),
          .auprc = support::area_under_precision_recall(scores, positive),
          .brier = support::brier_score(scores, positive)};
}

}  // namespace cubicbench::predictor
