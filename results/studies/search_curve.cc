#include "results/studies/search_curve.h"

#include <algorithm>
#include <utility>

#include "datasets/exhaustive/best_found.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {

using scenarios::Direction;

bool better(double a, double b, Direction direction) {
  return datasets::is_better(a, b, direction);
}

Values running_best(std::span<const std::optional<double>> values, Direction direction) {
  Values best;
  best.reserve(values.size());
  std::optional<double> so_far;
  for (const std::optional<double>& value : values) {
    if (value && (!so_far || better(*value, *so_far, direction))) {
      so_far = value;
    }
    best.push_back(so_far);
  }
  return best;
}

Values without_failures(std::span<const std::optional<double>> values) {
  Values kept;
  for (const std::optional<double>& value : values) {
    if (value) {
      kept.push_back(value);
    }
  }
  return kept;
}

double failure_value(std::span<const std::optional<double>> values, Direction direction) {
  double worst = 0.0;
  if (direction == Direction::minimize) {
    for (const std::optional<double>& value : values) {
      worst = std::max(worst, value.value_or(0.0));
    }
  }
  return worst;
}

std::vector<double> filled(std::span<const std::optional<double>> values, Direction direction) {
  const double failure = failure_value(values, direction);
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const std::optional<double>& value : values) {
    numbers.push_back(value.value_or(failure));
  }
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
    at.reserve(bests.size());
    for (const Values& best : bests) {
      if (k < best.size()) at.push_back(best[k].value_or(failure));
    }
    if (at.empty() || 2 * at.size() < bests.size()) return aligned;
    aligned.push_back(std::move(at));
  }
}

SeedBand seed_band(std::span<const Values> studies, Direction direction) {
  SeedBand band;
  for (const std::vector<double>& at : aligned_bests(studies, direction)) {
    band.low.push_back(support::quantile(at, 0.25));
    band.median.push_back(support::median(at));
    band.high.push_back(support::quantile(at, 0.75));
  }
  return band;
}

}  // namespace cubicbench::results
