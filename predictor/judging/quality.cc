#include "predictor/judging/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/base/check.h"

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

}  // namespace cubicbench::predictor
