#include "predictor/quality.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

#include "predictor/correlation.h"
#include "sim/base/check.h"

namespace cubicbench::predictor {
namespace {

using scenarios::Direction;

/// Positions of the k best values, the best first; of equals the earlier.
std::vector<std::size_t> best_k(std::span<const double> values, std::size_t k,
                                Direction direction) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return direction == Direction::maximize ? values[i] > values[j] : values[i] < values[j];
  });
  order.resize(k);
  return order;
}

double best_of(std::span<const double> values, Direction direction) {
  return direction == Direction::maximize ? *std::ranges::max_element(values)
                                          : *std::ranges::min_element(values);
}

double count_of(std::span<const bool> positive) {
  return static_cast<double>(std::ranges::count(positive, true));
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
  std::vector<std::size_t> chosen = best_k(predicted, k, direction);
  std::vector<std::size_t> wanted = best_k(measured, k, direction);
  std::ranges::sort(chosen);
  std::ranges::sort(wanted);
  std::vector<std::size_t> found;
  std::ranges::set_intersection(chosen, wanted, std::back_inserter(found));
  return static_cast<double>(found.size()) / static_cast<double>(k);
}

double regret_at_k(std::span<const double> predicted, std::span<const double> measured,
                   std::size_t k, Direction direction) {
  SIM_ASSERT(predicted.size() == measured.size(), predicted.size(), measured.size());
  SIM_ASSERT(k >= 1 && k <= measured.size(), k, measured.size());
  std::vector<double> chosen;
  for (const std::size_t i : best_k(predicted, k, direction)) chosen.push_back(measured[i]);
  const double best = best_of(measured, direction);
  return std::abs(best - best_of(chosen, direction)) / best;
}

// The Mann-Whitney statistic: the share of pairs of a positive and a negative in the right order.
double area_under_roc(std::span<const double> scores, std::span<const bool> positive) {
  SIM_ASSERT(scores.size() == positive.size(), scores.size(), positive.size());
  const double positives = count_of(positive);
  const double negatives = static_cast<double>(positive.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return 0.5;
  const std::vector<double> ranks = average_ranks(scores);
  double sum = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (positive[i]) sum += ranks[i];
  }
  return (sum - 0.5 * positives * (positives + 1.0)) / (positives * negatives);
}

double area_under_precision_recall(std::span<const double> scores, std::span<const bool> positive) {
  SIM_ASSERT(scores.size() == positive.size(), scores.size(), positive.size());
  const double positives = count_of(positive);
  const double all = static_cast<double>(positive.size());
  if (positives == 0.0) return 0.0;
  if (positives == all) return 1.0;
  const std::vector<std::size_t> order = best_k(scores, scores.size(), Direction::maximize);
  double found = 0.0;
  double area = 0.0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const double found_before = found;
    while (end < order.size() && scores[order[end]] == scores[order[begin]]) {
      found += positive[order[end++]] ? 1.0 : 0.0;
    }
    area += (found - found_before) / positives * (found / static_cast<double>(end));
  }
  return area;
}

double brier_score(std::span<const double> probabilities, std::span<const bool> positive) {
  SIM_ASSERT(probabilities.size() == positive.size(), probabilities.size(), positive.size());
  SIM_ASSERT(!positive.empty(), positive.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < positive.size(); ++i) {
    const double off = probabilities[i] - (positive[i] ? 1.0 : 0.0);
    sum += off * off;
  }
  return sum / static_cast<double>(positive.size());
}

}  // namespace cubicbench::predictor
