#include "predictor/judging/repeat_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/feasibility.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/statistics/classification.h"
#include "support/statistics/correlation.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

using scenarios::Direction;

bool is_better(double a, double b, Direction direction) {
  return direction == Direction::maximize ? a > b : a < b;
}

/// Positions of the values, the best first; of equals the earlier.
std::vector<std::size_t> best_first(std::span<const double> values, Direction direction) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return is_better(values[i], values[j], direction);
  });
  return order;
}

/// The k best, where equal values are put in order at random: some are certain, and of those that
/// equal the k-th best as many are drawn as are missing.
struct BestK {
  std::vector<std::size_t> certain;
  std::vector<std::size_t> tied;
  std::size_t drawn = 0;  ///< of `tied`
};

BestK best_k(std::span<const double> values, std::size_t k, Direction direction) {
  const std::vector<std::size_t> order = best_first(values, direction);
  const double last = values[order[k - 1]];
  BestK best;
  for (const std::size_t i : order) {
    if (values[i] == last) {
      best.tied.push_back(i);
    } else if (is_better(values[i], last, direction)) {
      best.certain.push_back(i);
    }
  }
  best.drawn = k - best.certain.size();
  return best;
}

/// With what probability each entry is among the k best.
std::vector<double> chances(std::span<const double> values, std::size_t k, Direction direction) {
  const BestK best = best_k(values, k, direction);
  std::vector<double> chances(values.size(), 0.0);
  for (const std::size_t i : best.certain) chances[i] = 1.0;
  for (const std::size_t i : best.tied) {
    chances[i] = static_cast<double>(best.drawn) / static_cast<double>(best.tied.size());
  }
  return chances;
}

double best_of(std::span<const double> values, Direction direction) {
  return direction == Direction::maximize ? *std::ranges::max_element(values)
                                          : *std::ranges::min_element(values);
}

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

double mean_absolute_percentage_error(std::span<const double> predicted,
                                      std::span<const double> measured) {
  SIM_ASSERT(predicted.size() == measured.size(), predicted.size(), measured.size());
  SIM_ASSERT(!measured.empty(), measured.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    sum += std::abs(predicted[i] - measured[i]) / measured[i];
  }
  return sum / static_cast<double>(measured.size());
}

double top_k_recall(std::span<const double> predicted, std::span<const double> measured,
                    std::size_t k, Direction direction) {
  SIM_ASSERT(predicted.size() == measured.size(), predicted.size(), measured.size());
  SIM_ASSERT(k >= 1 && k <= measured.size(), k, measured.size());
  const std::vector<double> chosen = chances(predicted, k, direction);
  const std::vector<double> wanted = chances(measured, k, direction);
  return std::inner_product(chosen.begin(), chosen.end(), wanted.begin(), 0.0) /
         static_cast<double>(k);
}

// Of t tied entries in the order of their measured values the j-th is the best of m drawn ones with
// probability C(t - j, m - 1) / C(t, m); each follows from the one before.
double regret_at_k(std::span<const double> predicted, std::span<const double> measured,
                   std::size_t k, Direction direction) {
  SIM_ASSERT(predicted.size() == measured.size(), predicted.size(), measured.size());
  SIM_ASSERT(k >= 1 && k <= measured.size(), k, measured.size());
  const BestK chosen = best_k(predicted, k, direction);
  const double best = best_of(measured, direction);
  const auto regret_of = [&](double value) { return std::abs(best - value) / best; };
  double certain = std::numeric_limits<double>::infinity();
  for (const std::size_t i : chosen.certain) certain = std::min(certain, regret_of(measured[i]));
  std::vector<double> tied;
  for (const std::size_t i : chosen.tied) tied.push_back(regret_of(measured[i]));
  std::ranges::sort(tied);
  const double drawn = static_cast<double>(chosen.drawn);
  double left = static_cast<double>(tied.size());
  double probability = drawn / left;
  double expected = 0.0;
  for (const double regret : tied) {
    expected += probability * std::min(regret, certain);
    left -= 1.0;
    if (left < drawn) break;
    probability *= (left - drawn + 1.0) / left;
  }
  return expected;
}

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
