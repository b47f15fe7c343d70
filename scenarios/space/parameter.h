#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scenarios/space/setting.h"

namespace cubicbench::scenarios {

enum class ParameterType { categorical, ordinal, integer, boolean };

/// "categorical", "ordinal", "integer", "boolean": the JSON names, in the order of the enum.
std::span<const std::string_view> parameter_type_names();

/// Holds when the earlier parameter is active and has one of `values` (codes).
struct Condition {
  int parameter = 0;
  std::vector<std::int64_t> values;

  bool operator==(const Condition&) const = default;
};

/// One dimension of a search space: a setting and the codes it may take.
struct Parameter {
  const Setting* setting = nullptr;
  ParameterType type = ParameterType::categorical;
  std::vector<std::int64_t>
      values;                   ///< all legal codes in the order of the scenario, no duplicates
  std::vector<Condition> when;  ///< active only if all hold

  bool operator==(const Parameter&) const = default;
};

/// A parameter may list at most this many values.
inline constexpr std::int64_t parameter_values_max = 65'536;

/// min, min + step, ... up to max. Empty when there is none, when step < 1, or when there are more
/// than `parameter_values_max`.
std::vector<std::int64_t> stepped_values(std::int64_t min, std::int64_t max, std::int64_t step);

/// The powers of two in [min, max]; empty when there is none.
std::vector<std::int64_t> powers_of_two(std::int64_t min, std::int64_t max);

}  // namespace cubicbench::scenarios
