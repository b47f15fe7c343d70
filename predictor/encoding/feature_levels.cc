#include "predictor/encoding/feature_levels.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

std::vector<double> known_values(const FeatureMatrix& features, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < features.rows; ++row) {
    const double value = features.row(row)[column];
    if (!std::isnan(value)) values.push_back(value);
  }
  std::ranges::sort(values);
  return values;
}

/// Half-way between neighbours, where a level has its share of the values.
std::vector<double> cuts_of(const std::vector<double>& sorted) {
  constexpr std::size_t most = levels_max - 1;
  std::size_t distinct = sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) distinct += sorted[i] != sorted[i - 1] ? 1 : 0;
  const std::size_t share = distinct <= most ? 1 : (sorted.size() + most - 1) / most;
  std::vector<double> cuts;
  std::size_t in_level = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] != sorted[i - 1] && in_level >= share) {
      cuts.push_back(sorted[i - 1] + 0.5 * (sorted[i] - sorted[i - 1]));
      in_level = 0;
    }
    ++in_level;
  }
  return cuts;
}

}  // namespace

FeatureLevels::FeatureLevels(const FeatureMatrix& training) {
  SIM_ASSERT(training.rows > 0, training.rows);
  for (std::size_t column = 0; column < training.columns; ++column) {
    const std::vector<double> values = known_values(training, column);
    cuts_.push_back(cuts_of(values));
    std::vector<std::vector<double>> by_level(levels(column));
    for (const double value : values) by_level[level_of(column, value)].push_back(value);
    by_level.back() = values;
    std::vector<double> places;
    for (const auto& of_level : by_level) {
      places.push_back(of_level.empty() ? 0.0 : support::mean(of_level));
    }
    places_.push_back(std::move(places));
  }
}

std::uint8_t FeatureLevels::level_of(std::size_t column, double value) const {
  const std::vector<double>& cuts = cuts_[column];
  if (std::isnan(value)) return static_cast<std::uint8_t>(cuts.size() + 1);
  return static_cast<std::uint8_t>(std::ranges::upper_bound(cuts, value) - cuts.begin());
}

Levels FeatureLevels::of(std::span<const double> row) const {
  SIM_ASSERT(row.size() == columns(), row.size(), columns());
  Levels levels(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) levels[i] = level_of(i, row[i]);
  return levels;
}

}  // namespace cubicbench::predictor
