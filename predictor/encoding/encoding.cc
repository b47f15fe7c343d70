#include "predictor/encoding/encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr double beyond_range = 3.0;  ///< how far standardised features may leave what was seen

bool seen_anywhere(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                   std::size_t column, bool missing) {
  return std::ranges::any_of(
      jobs, [&](std::size_t job) { return std::isnan(data.row(job)[column]) == missing; });
}

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

Encoding::Encoding(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                   EncodingForm form, std::span<const std::size_t> left_out) {
  SIM_ASSERT(!jobs.empty(), jobs.size());
  for (std::size_t column = 0; column < data.columns.size(); ++column) {
    if (std::ranges::find(left_out, column) != left_out.end()) continue;
    if (data.columns[column].kind == datasets::ColumnKind::number) {
      add_number(data, jobs, column, form);
    } else {
      add_levels(data, jobs, column, form);
    }
  }
}

double Encoding::Feature::value_in(std::span<const double> row) const {
  const double cell = row[column];
  const bool known = !std::isnan(cell);
  double value = cell;
  if (kind == Kind::missing) value = known ? 0.0 : 1.0;
  if (kind == Kind::level) value = cell == level ? 1.0 : 0.0;
  if (kind == Kind::number && !known) return fills ? 0.0 : cell;
  return std::clamp((value - mean) / scale, low, high);
}

void Encoding::add_number(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                          std::size_t column, EncodingForm form) {
  if (!seen_anywhere(data, jobs, column, false)) return;
  add({.column = column, .kind = Kind::number}, data, jobs, form);
  if (form == EncodingForm::standardised && seen_anywhere(data, jobs, column, true)) {
    add({.column = column, .kind = Kind::missing}, data, jobs, form);
  }
}

void Encoding::add_levels(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                          std::size_t column, EncodingForm form) {
  std::vector<double> levels;
  for (const std::size_t job : jobs) {
    const double level = data.row(job)[column];
    if (!std::isnan(level)) levels.push_back(level);
  }
  const bool some_missing = levels.size() < jobs.size();
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  // Of two levels the second says it all.
  if (levels.size() == 2 && !some_missing) levels.erase(levels.begin());
  for (const double level : levels) {
    add({.column = column, .kind = Kind::level, .level = level}, data, jobs, form);
  }
}

void Encoding::add(Feature feature, const datasets::Dataset& data,
                   std::span<const std::size_t> jobs, EncodingForm form) {
  feature.low = -std::numeric_limits<double>::infinity();
  feature.high = std::numeric_limits<double>::infinity();
  std::vector<double> values;
  for (const std::size_t job : jobs) {
    const double value = feature.value_in(data.row(job));
    if (!std::isnan(value)) values.push_back(value);
  }
  const auto [least, greatest] = std::ranges::minmax(values);
  const bool some_missing = values.size() < jobs.size();
  if (least == greatest && !(some_missing && form == EncodingForm::raw)) return;
  if (form == EncodingForm::raw) {
    // A tree that parts known from unknown cuts beyond the range it has seen: no known number may
    // come to stand there.
    feature.low = least;
    feature.high = greatest;
  } else {
    const double mean = support::mean(values);
    const double scale = std::sqrt(support::variance(values, support::Drawn::all));
    if (!(scale > 0.0) || !std::isfinite(scale)) return;  // beyond what doubles tell apart
    feature.mean = mean;
    feature.scale = scale;
    feature.low = (least - mean) / scale - beyond_range;
    feature.high = (greatest - mean) / scale + beyond_range;
    feature.fills = true;
  }
  features_.push_back(feature);
}

FeatureMatrix Encoding::encode(const datasets::Dataset& data,
                               std::span<const std::size_t> jobs) const {
  FeatureMatrix matrix{.rows = jobs.size(), .columns = features_.size()};
  matrix.cells.reserve(matrix.rows * matrix.columns);
  for (const std::size_t job : jobs) {
    for (const Feature& feature : features_) {
      matrix.cells.push_back(feature.value_in(data.row(job)));
    }
  }
  return matrix;
}

std::vector<double> log_values(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  std::vector<double> values;
  values.reserve(jobs.size());
  for (const std::size_t job : jobs) {
    const datasets::Job& of = data.jobs[job];
    SIM_ASSERT(of.value && *of.value > 0.0, job);
    values.push_back(sim::log(*of.value));
  }
  return values;
}

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
