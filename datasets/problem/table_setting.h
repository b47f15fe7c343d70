#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tables/measurement.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
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

/// What launching a run of a table again is taken to come to; nothing where the row does not say.
///
/// A run of status and quality `ok` completes with its value of `metric` (tokens_per_s_per_gpu, or
/// what follows from it). One of status `oom` and quality `ok` or `early_pp` fails as `oom_late`:
/// tables do not say whether memory was short before the first step or in it, and what most often
/// tells one micro-batch that fits from the next that does not is activations. All others, such as
/// those whose timing is flagged or that failed for another reason, say nothing.
///
/// It takes what a simulated launch of that speed would: `job`'s start-up and steps, or the
/// start-up alone where it ran out of memory or the table does not tell a step's time. The time
/// limit of a job does not apply, as the run did end.
std::optional<scenarios::TrialOutcome> outcome_of(const Measurement& row, scenarios::Metric metric,
                                                  const scenarios::Job& job);

/// Time of a step, s: as measured, else global_batch x seq_len over the tokens that all GPUs train
/// in a second.
std::optional<double> step_seconds(const Measurement& row);

}  // namespace cubicbench::datasets
