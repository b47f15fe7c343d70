#include "predictor/calibration/asked_calibration.h"

#include <utility>

#include "support/input_error.h"

namespace cubicbench::predictor {
namespace {

[[noreturn]] void refuse_without_table(const AskedCalibration& asked, const AskedWhere& where) {
  throw support::InputError(where.tables, "expected a table, as no shipped constant of " +
                                              asked.subject.name + " was fitted, got none");
}

/// What the plans that ship fit, each on its own; together where constants are chosen by hand.
std::vector<CalibrationTask> planned(const AskedCalibration& asked) {
  if (asked.fit.empty()) return planned_tasks(asked.subject);
  std::optional<CalibrationTask> task = joint_task(asked.subject, asked.fit);
  return task ? std::vector{std::move(*task)} : std::vector<CalibrationTask>();
}

std::vector<CalibrationTask> tasks_of(const AskedCalibration& asked, const AskedWhere& where) {
  std::vector<CalibrationTask> tasks;
  if (asked.tables.empty()) {
    tasks = planned(asked);
  } else {
    tasks.push_back(task_of_tables(asked.subject, asked.tables, asked.fit, where.tables));
  }
  if (tasks.empty()) refuse_without_table(asked, where);
  return tasks;
}

CalibrationTask task_of_costs(const AskedCalibration& asked, const AskedWhere& where) {
  if (!asked.tables.empty()) {
    return task_of_tables(*asked.costs, asked.tables, asked.fit, where.tables);
  }
  std::optional<CalibrationTask> task = planned_task(*asked.costs);
  if (!task) refuse_without_table(asked, where);
  if (!asked.fit.empty()) {
    task->fit = asked.fit;
    task->fit_is_default = false;
  }
  return std::move(*task);
}

}  // namespace

std::vector<FinishedCalibration> run_calibrations(const AskedCalibration& asked,
                                                  const AskedWhere& where, int threads) {
  std::vector<CalibrationTask> tasks =
      asked.costs ? std::vector{task_of_costs(asked, where)} : tasks_of(asked, where);
  for (CalibrationTask& task : tasks) {
    if (!asked.fit.empty()) task.fit_where = where.fit;
  }
  const std::string& rows_at = asked.tables.empty() ? where.subject : where.tables;
  if (asked.costs) return {run_calibration(*asked.costs, std::move(tasks.front()), rows_at)};
  return run_calibrations(asked.subject, std::move(tasks), rows_at, threads);
}

}  // namespace cubicbench::predictor
