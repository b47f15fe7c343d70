#include "datasets/problem/table_setting.h"

#include <algorithm>
#include <array>

#include "datasets/tables/measurement_schema.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

struct Pair {
  std::string_view column;
  std::string_view setting;
};

constexpr std::array pairs{Pair{"dp", "data_parallel"},
                           Pair{"tp", "tensor_parallel"},
                           Pair{"pp", "pipeline_parallel"},
                           Pair{"vp", "virtual_stages"},
                           Pair{"cp", "context_parallel"},
                           Pair{"ep", "expert_parallel"},
                           Pair{"sp", "sequence_parallel"},
                           Pair{"micro_batch", "micro_batch"},
                           Pair{"global_batch", "global_batch"},
                           Pair{"grad_accum", "global_batch"},
                           Pair{"sharding", "sharding"},
                           Pair{"recompute", "recompute"},
                           Pair{"offload", "offload"},
                           Pair{"compile", "compile"},
                           Pair{"dtype", "dtype"}};

TableValue parsed(const scenarios::Setting& setting, const std::string& text) {
  TableValue value{.code = parse_setting(setting, text), .problem = {}};
  if (!value.code) {
    value.problem = "expected " + expected(setting) + ", got " +
                    (text.empty() ? "nothing" : "\"" + support::shortened(text) + "\"");
  }
  return value;
}

std::optional<std::int64_t> batch_of(const Measurement& row) {
  if (row.global_batch) return row.global_batch;
  if (!row.dp || !row.micro_batch || !row.grad_accum) return std::nullopt;
  std::int64_t batch = 0;
  const bool too_large = __builtin_mul_overflow(*row.dp, *row.micro_batch, &batch) ||
                         __builtin_mul_overflow(batch, *row.grad_accum, &batch);
  return too_large ? std::nullopt : std::optional(batch);
}

}  // namespace

std::optional<TableSetting> find_table_setting(std::string_view name) {
  for (const Pair& pair : pairs) {
    if (name == pair.column || name == pair.setting) {
      return TableSetting{.setting = scenarios::find_setting(pair.setting), .column = pair.column};
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> table_setting_names() {
  std::vector<std::string_view> names;
  for (const Pair& pair : pairs) names.push_back(pair.column);
  for (const Pair& pair : pairs) {
    if (std::ranges::find(names, pair.setting) == names.end()) names.push_back(pair.setting);
  }
  return names;
}

TableValue value_of(const TableSetting& setting, const Measurement& row) {
  std::string text = option_text(setting.column, row);
  if (setting.setting->name == "global_batch") {
    const std::optional<std::int64_t> batch = batch_of(row);
    text = batch ? std::to_string(*batch) : "";
  }
  return parsed(*setting.setting, text);
}

TableValue value_of(const scenarios::Setting& setting, const std::string& cell) {
  const bool yes_or_no = setting.kind == scenarios::SettingKind::boolean;
  if (yes_or_no && (cell == "0" || cell == "1"))
    return parsed(setting, cell == "1" ? "true" : "false");
  return parsed(setting, cell);
}

}  // namespace cubicbench::datasets
