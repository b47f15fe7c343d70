#include "predictor/encoding/simulated_jobs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> position_of(const datasets::Dataset& data, std::string_view name) {
  const auto found = std::ranges::find(data.physics_columns, name, &datasets::Column::name);
  if (found == data.physics_columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - data.physics_columns.begin());
}

std::vector<double> column_of(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                              std::string_view name) {
  const auto position = position_of(data, name);
  std::vector<double> cells;
  cells.reserve(jobs.size());
  for (const std::size_t job : jobs) {
    cells.push_back(position ? data.physics_row(job)[*position] : unknown);
  }
  return cells;
}

FeatureMatrix features_at(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                          std::span<const std::size_t> positions) {
  FeatureMatrix features{.rows = jobs.size(), .columns = positions.size()};
  features.cells.reserve(features.rows * features.columns);
  for (const std::size_t job : jobs) {
    for (const std::size_t position : positions) {
      features.cells.push_back(data.physics_row(job)[position]);
    }
  }
  return features;
}

}  // namespace

SimulatedJobs simulated_jobs(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  SimulatedJobs simulated{.log_value = column_of(data, jobs, datasets::simulated_column),
                          .slow_shift = column_of(data, jobs, datasets::slow_column),
                          .log_memory = column_of(data, jobs, datasets::memory_column)};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    double& shift = simulated.slow_shift[i];
    shift -= simulated.log_value[i];
    if (std::isnan(shift)) shift = 0.0;
    double& memory = simulated.log_memory[i];
    memory = memory > 0.0 ? sim::log(memory) : unknown;
  }
  return simulated;
}

std::int64_t without_answer(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  const std::vector<double> answers = column_of(data, jobs, datasets::simulated_column);
  return std::ranges::count_if(answers, [](double answer) { return std::isnan(answer); });
}

FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  std::vector<std::size_t> positions(data.physics_columns.size());
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i;
  return features_at(data, jobs, positions);
}

FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                               std::span<const std::string_view> names) {
  std::vector<std::size_t> positions;
  for (const std::string_view name : names) {
    if (const auto position = position_of(data, name)) positions.push_back(*position);
  }
  return features_at(data, jobs, positions);
}

FeatureMatrix side_by_side(const FeatureMatrix& left, const FeatureMatrix& right) {
  SIM_ASSERT(left.rows == right.rows, left.rows, right.rows);
  FeatureMatrix both{.rows = left.rows, .columns = left.columns + right.columns};
  both.cells.reserve(both.rows * both.columns);
  for (std::size_t r = 0; r < both.rows; ++r) {
    const auto first = left.row(r);
    const auto second = right.row(r);
    both.cells.insert(both.cells.end(), first.begin(), first.end());
    both.cells.insert(both.cells.end(), second.begin(), second.end());
  }
  return both;
}

}  // namespace cubicbench::predictor
