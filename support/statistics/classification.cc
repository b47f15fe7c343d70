#include "support/statistics/classification.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "support/statistics/mann_whitney.h"

namespace cubicbench::support {
namespace {

std::vector<double> scores_of(std::span<const double> scores, std::span<const bool> positive,
                              bool wanted) {
  std::vector<double> chosen;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (positive[i] == wanted) chosen.push_back(scores[i]);
  }
  return chosen;
}

std::vector<std::size_t> highest_first(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return scores[i]; });
  return order;
}

}  // namespace

double area_under_roc(std::span<const double> scores, std::span<const bool> positive) {
  SIM_ASSERT(scores.size() == positive.size(), scores.size(), positive.size());
  const std::vector<double> positives = scores_of(scores, positive, true);
  const std::vector<double> negatives = scores_of(scores, positive, false);
  return positives.empty() || negatives.empty() ? 0.5 : a12(positives, negatives);
}

double area_under_precision_recall(std::span<const double> scores, std::span<const bool> positive) {
  SIM_ASSERT(scores.size() == positive.size(), scores.size(), positive.size());
  const auto positives = static_cast<double>(std::ranges::count(positive, true));
  if (positives == 0.0) return 0.0;
  if (positives == static_cast<double>(positive.size())) return 1.0;
  const std::vector<std::size_t> order = highest_first(scores);
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

}  // namespace cubicbench::support
