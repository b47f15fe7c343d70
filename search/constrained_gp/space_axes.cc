#include "search/constrained_gp/space_axes.h"

#include <algorithm>

#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

using predictor::KnobAxis;
using scenarios::Parameter;
using scenarios::ParameterType;
using scenarios::SettingKind;

constexpr double span_max = 1.5;

bool is_label(const Parameter& parameter) {
  return parameter.type == ParameterType::categorical || parameter.type == ParameterType::boolean ||
         parameter.setting->kind == SettingKind::boolean;
}

bool is_number(const Parameter& parameter) {
  const SettingKind kind = parameter.setting->kind;
  return kind == SettingKind::integer || kind == SettingKind::thousandths ||
         kind == SettingKind::number;
}

double number_of(const Parameter& parameter, std::int64_t code) {
  const scenarios::Setting& setting = *parameter.setting;
  if (setting.kind == SettingKind::number) return setting.numbers[static_cast<std::size_t>(code)];
  return static_cast<double>(code);
}

/// Numbers by their logarithm, where there is one; what else is in an order by its place in it.
std::vector<double> raw_places(const Parameter& parameter) {
  std::vector<double> places;
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    places.push_back(is_number(parameter) ? number_of(parameter, parameter.values[i])
                                          : static_cast<double>(i));
  }
  if (is_number(parameter) && std::ranges::min(places) > 0.0) {
    for (double& place : places) place = sim::log2(place);
  }
  return places;
}

std::size_t level_of(std::size_t value, std::size_t values) {
  const std::size_t shared = (values + predictor::levels_max - 1) / predictor::levels_max;
  return value / shared;
}

KnobAxis axis_of(const Parameter& parameter) {
  const std::size_t values = parameter.values.size();
  KnobAxis axis{.places = {}, .labels = is_label(parameter)};
  axis.places.resize(level_of(values - 1, values) + 1);
  if (axis.labels) return axis;
  const std::vector<double> raw = raw_places(parameter);
  const auto [low, high] = std::ranges::minmax(raw);
  const double span = std::min(span_max, 0.5 * static_cast<double>(values - 1));
  const double unit = high > low ? span / (high - low) : 0.0;
  for (std::size_t i = values; i-- > 0;) axis.places[level_of(i, values)] = (raw[i] - low) * unit;
  return axis;
}

}  // namespace

SpaceAxes::SpaceAxes(const scenarios::SearchSpace& space) {
  for (const Parameter& parameter : space.parameters()) {
    axes_.push_back(axis_of(parameter));
    values_.push_back(parameter.values.size());
  }
}

predictor::Levels SpaceAxes::levels_of(std::span<const std::int64_t> configuration) const {
  predictor::Levels levels;
  levels_of(configuration, levels);
  return levels;
}

void SpaceAxes::levels_of(std::span<const std::int64_t> configuration,
                          predictor::Levels& levels) const {
  levels.resize(configuration.size());
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const auto value = static_cast<std::size_t>(std::max<std::int64_t>(configuration[i], 0));
    levels[i] = static_cast<std::uint8_t>(level_of(value, values_[i]));
  }
}

}  // namespace cubicbench::search
