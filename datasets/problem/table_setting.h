#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tables/measurement.h"
#include "scenarios/space/setting.h"

namespace cubicbench::datasets {

/// A setting whose value each row of a table of runs has in a column.
struct TableSetting {
  const scenarios::Setting* setting = nullptr;
  std::string_view column;  ///< of the measurement schema

  bool operator==(const TableSetting&) const = default;
};

/// By the column's name ("tp") or the setting's ("tensor_parallel"). The column grad_accum has no
/// setting of its own: it says how global_batch, dp x micro_batch x grad_accum, comes about, and
/// stands for that. Nothing when there is none of that name.
std::optional<TableSetting> find_table_setting(std::string_view name);

/// Every name that the above knows, columns first.
std::vector<std::string_view> table_setting_names();

/// The row's value of the setting, or what its cell should have held: "an integer in [1, 16384],
/// got nothing".
struct TableValue {
  std::optional<std::int64_t> code;
  std::string problem;
};

TableValue value_of(const TableSetting& setting, const Measurement& row);

/// The same of a cell whose column the measurement schema does not know; yes and no are 1 and 0.
TableValue value_of(const scenarios::Setting& setting, const std::string& cell);

}  // namespace cubicbench::datasets
