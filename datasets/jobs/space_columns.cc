#include "datasets/jobs/space_columns.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Parameter;
using scenarios::ParameterType;
using scenarios::SettingKind;

constexpr double log_ratio_min = 4.0;

bool is_number(const Parameter& parameter) {
  const SettingKind kind = parameter.setting->kind;
  return parameter.type != ParameterType::categorical &&
         (kind == SettingKind::integer || kind == SettingKind::thousandths ||
          kind == SettingKind::number);
}

/// A code as the number that it stands for.
double number_of(const Parameter& parameter, std::int64_t code) {
  const scenarios::Setting& setting = *parameter.setting;
  if (setting.kind == SettingKind::number) return setting.numbers[static_cast<std::size_t>(code)];
  const double scale = setting.kind == SettingKind::thousandths ? 1000.0 : 1.0;
  return static_cast<double>(code) / scale;
}

bool spans_decades(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [min, max] = std::ranges::minmax(values);
  return min > 0.0 && max >= log_ratio_min * min;
}

std::vector<double> numbers_of(const Parameter& parameter) {
  std::vector<double> values;
  for (const std::int64_t code : parameter.values) values.push_back(number_of(parameter, code));
  if (spans_decades(values)) {
    for (double& value : values) value = sim::log2(value);
  }
  return values;
}

Column category_of(const Parameter& parameter) {
  Column column{.name = std::string(parameter.setting->name), .kind = ColumnKind::category};
  for (const std::int64_t code : parameter.values) {
    column.levels.push_back(format_setting(*parameter.setting, code));
  }
  if (!parameter.when.empty()) column.levels.emplace_back("inactive");
  return column;
}

}  // namespace

SpaceColumns::SpaceColumns(const scenarios::SearchSpace& space) {
  for (const Parameter& parameter : space.parameters()) {
    const std::size_t values = parameter.values.size();
    if (is_number(parameter)) {
      columns_.push_back({.name = std::string(parameter.setting->name)});
      cells_.push_back(std::numeric_limits<double>::quiet_NaN());
      begins_.push_back(cells_.size());
      const std::vector<double> numbers = numbers_of(parameter);
      cells_.insert(cells_.end(), numbers.begin(), numbers.end());
    } else {
      columns_.push_back(category_of(parameter));
      cells_.push_back(static_cast<double>(values));
      begins_.push_back(cells_.size());
      for (std::size_t i = 0; i < values; ++i) cells_.push_back(static_cast<double>(i));
    }
  }
}

void SpaceColumns::write(std::span<const std::int64_t> configuration,
                         std::span<double> cells) const {
  static_assert(scenarios::inactive == -1);  // so that it is the cell before value 0
  SIM_ASSERT(configuration.size() == begins_.size(), configuration.size(), begins_.size());
  SIM_ASSERT(cells.size() == begins_.size(), cells.size(), begins_.size());
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    cells[i] =
        cells_[static_cast<std::size_t>(static_cast<std::int64_t>(begins_[i]) + configuration[i])];
  }
}

}  // namespace cubicbench::datasets
