#include "predictor/calibration/asked_calibration.h"

#include <algorithm>
#include <utility>

#include "scenarios/constants/constants.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::predictor {
namespace {

using Names = std::vector<std::string>;

bool is_of_memory(CalibrationSubject kind, const std::string& name) {
  if (kind != CalibrationSubject::stack) return false;
  const scenarios::StackConstant* const found = scenarios::find_stack_constant(name);
  return found != nullptr && found->kind == scenarios::ConstantKind::memory;
}

/// What may be fitted of the subject.
Names known_constants(const AskedCalibration& asked) {
  const CalibrationSubject kind = asked.subject.kind;
  if (kind == CalibrationSubject::stack) {
    return scenarios::stack_constant_names(scenarios::ConstantKind::time);
  }
  if (kind == CalibrationSubject::device) return scenarios::device_constant_names();
  return scenarios::constant_names(asked.costs->costs);
}

std::string described(CalibrationSubject kind) {
  if (kind == CalibrationSubject::collectives) return "those costs";
  return "a " + std::string(datasets::name_of(kind));
}

/// Timed runs feel them only where memory is nearly full, and would fit them to anything else.
std::string of_memory_problem(const Names& names, const Names& known) {
  return "expected constants of time, got " + support::joined(names, ", ") +
         (names.size() == 1 ? ", which is" : ", which are") +
         " of memory, and timed runs cannot tell it; those of time are " +
         support::joined(known, ", ");
}

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
    tasks.push_back(
        task_of_tables(asked.subject, asked.tables, asked.fit, where.tables, asked.columns));
  }
  if (tasks.empty()) refuse_without_table(asked, where);
  return tasks;
}

/// The laws that all software shares, where the subject has some of their constants. What they say
/// of sources that are left out is worked out once, for the stack.
FinishedCalibration law_calibration(const CalibratedSubject& subject, int threads) {
  const datasets::LawPlan& plan = datasets::law_plan();
  LawFit fit = fit_laws(plan, subject.kind == CalibrationSubject::stack, threads);
  Calibration own = constants_of(fit, plan, subject.kind, subject.name);
  CalibrationTask task{.name = plan.name, .of = subject.name, .fit = {}, .tables = plan.tables};
  for (const FittedConstant& constant : own.constants) task.fit.emplace_back(constant.name);
  task.rows = std::move(fit.rows);
  return {.task = std::move(task), .result = std::move(own), .sources = std::move(fit.sources)};
}

bool asks_for_laws(const AskedCalibration& asked) {
  return !asked.costs && asked.tables.empty() && asked.fit.empty() &&
         has_laws(datasets::law_plan(), asked.subject.kind, asked.subject.name);
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

void check_fit(const AskedCalibration& asked, const std::string& where) {
  const CalibrationSubject kind = asked.subject.kind;
  const Names known = known_constants(asked);
  std::vector<support::Problem> problems;
  Names of_memory;
  for (auto word = asked.fit.begin(); word != asked.fit.end(); ++word) {
    if (is_of_memory(kind, *word)) {
      of_memory.push_back(*word);
    } else if (std::ranges::find(known, *word) == known.end()) {
      problems.push_back({where, "expected a constant of " + described(kind) + ", got \"" +
                                     support::shortened(*word) + "\"" +
                                     support::did_you_mean(*word, known)});
    } else if (std::find(asked.fit.begin(), word, *word) != word) {
      problems.push_back({where, "expected every constant once, got " + *word + " again"});
    }
  }
  if (!of_memory.empty()) problems.push_back({where, of_memory_problem(of_memory, known)});
  support::throw_if_any(problems);
}

std::vector<FinishedCalibration> run_calibrations(const AskedCalibration& asked,
                                                  const AskedWhere& where, int threads) {
  if (asks_for_laws(asked)) {
    std::vector<FinishedCalibration> finished =
        run_calibrations(asked.subject, planned(asked), where.subject, threads);
    finished.push_back(law_calibration(asked.subject, threads));
    return finished;
  }
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
