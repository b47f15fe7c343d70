#include "results/studies/search_curve.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "datasets/exhaustive/best_found.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;

double failure_value(std::span<const std::optional<double>> values, Direction direction) {
  double worst = 0.0;
  if (direction == Direction::maximize) return worst;
  for (const std::optional<double>& value : values) worst = std::max(worst, value.value_or(0.0));
  return worst;
}

}  // namespace

Values running_best(std::span<const std::optional<double>> values, Direction direction) {
  Values best;
  std::optional<double> so_far;
  for (const std::optional<double>& value : values) {
    if (value && (!so_far || datasets::is_better(*value, *so_far, direction))) so_far = value;
    best.push_back(so_far);
  }
  return best;
}

Values without_failures(std::span<const std::optional<double>> values) {
  Values kept;
  std::ranges::copy_if(values, std::back_inserter(kept),
                       [](const auto& value) { return value.has_value(); });
  return kept;
}

std::vector<double> filled(std::span<const std::optional<double>> values, Direction direction) {
  const double failure = failure_value(values, direction);
  std::vector<double> numbers;
  for (const std::optional<double>& value : values) numbers.push_back(value.value_or(failure));
  return numbers;
}

std::vector<std::vector<double>> aligned_bests(std::span<const Values> studies,
                                               Direction direction) {
  Values all;
  std::vector<Values> bests;
  for (const Values& study : studies) {
    all.insert(all.end(), study.begin(), study.end());
    bests.push_back(running_best(study, direction));
  }
  const double failure = failure_value(all, direction);
  std::vector<std::vector<double>> aligned;
  for (std::size_t k = 0;; ++k) {
    std::vector<double> at;
    for (const Values& best : bests) {
      if (k < best.size()) at.push_back(best[k].value_or(failure));
    }
    if (at.empty() || 2 * at.size() < bests.size()) return aligned;
    aligned.push_back(std::move(at));
  }
}

double quantile(std::vector<double> values, double share) {
  SIM_ASSERT(!values.empty(), share);
  SIM_ASSERT(share >= 0.0 && share <= 1.0, share);
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double weight = place - static_cast<double>(below);
  return values[below] + weight * (values[above] - values[below]);
}

}  // namespace cubicbench::results
