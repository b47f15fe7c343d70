#include "predictor/calibration/subject_calibration.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>
#include <variant>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"
#include "datasets/tables/row_table.h"
#include "predictor/calibration/told_constants.h"
#include "scenarios/constants/constants.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/fitted_description.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::predictor {
namespace {

using support::InputError;
using Names = std::vector<std::string>;

bool is_stack(const CalibratedSubject& subject) {
  return subject.kind == CalibrationSubject::stack;
}

double value_of(const CalibratedSubject& subject, const std::string& name) {
  return is_stack(subject)
             ? scenarios::value_of(*scenarios::find_stack_constant(name), subject.stack)
             : scenarios::value_of(*scenarios::find_device_constant(name), subject.device);
}

/// What earlier tasks found, by whose rows told it.
struct Found {
  std::string of;
  std::string name;
  double value;
};

/// The subject's own stack, with the attention kernel that the run is stated to have used.
sim::Stack stack_of(const CalibratedSubject& subject, const CalibrationRun& run) {
  sim::Stack stack = subject.stack;
  if (!run.row.attention_impl.empty()) stack.attention = run.scenario.stack.attention;
  return stack;
}

/// Rows start from the subject's own file, and from what was found before.
void prepare(const CalibratedSubject& subject, std::span<const Found> found,
             CalibrationTask& task) {
  const auto apply = [&](sim::Stack& stack, sim::Device& device) {
    if (task.of == subject.name && !is_stack(subject)) device = subject.device;
    for (const Found& earlier : found) {
      if (earlier.of != task.of) continue;
      if (is_stack(subject)) {
        set_value(*scenarios::find_stack_constant(earlier.name), earlier.value, stack);
      } else {
        set_value(*scenarios::find_device_constant(earlier.name), earlier.value, device);
      }
    }
  };
  for (CalibrationRun& run : task.rows.runs) {
    if (task.of == subject.name && is_stack(subject)) run.scenario.stack = stack_of(subject, run);
    apply(run.scenario.stack, run.scenario.cluster.device);
  }
  sim::Stack none;
  for (CalibrationKernel& kernel : task.rows.kernels) apply(none, kernel.device);
}

template <class Kernel>
bool has(const std::vector<CalibrationKernel>& kernels) {
  return std::ranges::any_of(kernels, [](const CalibrationKernel& row) {
    return std::holds_alternative<Kernel>(row.timed.kernel);
  });
}

void add_kernel_fit(const std::vector<CalibrationKernel>& kernels, Names& fit) {
  if (has<datasets::TimedGemm>(kernels)) {
    fit.insert(fit.end(),
               {"gemm_efficiency", "gemm_k_half", "gemm_wave_weight", "kernel_overhead_us"});
  }
  std::set<std::size_t> attention;
  for (const CalibrationKernel& row : kernels) {
    const auto* timed = std::get_if<datasets::TimedAttention>(&row.timed.kernel);
    if (timed != nullptr) attention.insert(static_cast<std::size_t>(timed->kernel));
  }
  for (const std::size_t kernel : attention) {
    fit.push_back("attention_efficiency." +
                  std::string(scenarios::attention_kernel_names()[kernel]));
  }
  if (!attention.empty()) fit.emplace_back("attention_s_half");
  if (has<datasets::TimedStream>(kernels)) fit.emplace_back("memory_efficiency");
}

/// Tables by what their rows are.
struct ReadTables {
  std::vector<datasets::Measurements> runs;
  std::vector<datasets::RecommendationMeasurements> results;
  std::vector<datasets::KernelMeasurements> kernels;
};

void read_table(const std::string& name, const std::string& where, datasets::GivenColumns given,
                ReadTables& into) {
  if (datasets::is_kernel_table(name)) {
    into.kernels.push_back(datasets::find_kernel_measurements(name));
    return;
  }
  const datasets::TableText text = datasets::find_table(name, where, 0, given);
  const support::CsvTable table = support::read_csv(text.text, text.file);
  if (datasets::has_kernel_columns(datasets::names_of(table.header))) {
    into.kernels.push_back(datasets::read_kernel_measurements(table, text.file));
  } else if (datasets::has_recommendation_columns(datasets::names_of(table.header))) {
    into.results.push_back(datasets::read_recommendation_measurements(table, text.file));
  } else {
    into.runs.push_back(datasets::read_measurements(table, text.file));
  }
}

void append(CalibrationRuns from, CalibrationRuns& to) {
  std::ranges::move(from.runs, std::back_inserter(to.runs));
  std::ranges::move(from.kernels, std::back_inserter(to.kernels));
  for (const auto& [reason, count] : from.skipped) to.skipped[reason] += count;
}

/// The library with the subject's own file in it.
datasets::Library library_with(const CalibratedSubject& subject) {
  datasets::Library among = datasets::library();
  if (is_stack(subject)) {
    among.stacks.insert_or_assign(subject.name, subject.stack);
  } else {
    among.devices.insert_or_assign(subject.name, subject.device);
  }
  return among;
}

/// Does a row say that it is of the subject?
bool is_named(const CalibratedSubject& subject, const ReadTables& read) {
  const auto any = [](const auto& tables, auto is) {
    return std::ranges::any_of(
        tables, [&](const auto& table) { return std::ranges::any_of(table.rows, is); });
  };
  const bool by_kernel =
      any(read.kernels, [&](const auto& row) { return row.accelerator == subject.name; });
  const bool by_run = any(read.runs, [&](const auto& row) {
    return (is_stack(subject) ? row.stack : row.device) == subject.name;
  });
  return by_run || (by_kernel && !is_stack(subject));
}

/// What tells one table from another: its name, or where its file is.
std::string identity_of(const std::string& table) {
  if (!datasets::is_table_path(table)) return table;
  std::error_code error;  // a pipe has no other name
  const auto place = std::filesystem::weakly_canonical(table, error);
  return error ? table : place.string();
}

void require_once(std::span<const std::string> tables, const std::string& where) {
  std::set<std::string> seen;
  for (const std::string& table : tables) {
    if (!seen.insert(identity_of(table)).second) {
      throw InputError(where, "expected every table once, got " + table + " again");
    }
  }
}

CalibrationTask task_of_plan(const datasets::CalibrationPlan& plan) {
  CalibrationTask task{.name = plan.name, .of = plan.of, .fit = plan.fit};
  for (const datasets::CalibrationRows& rows : plan.rows) {
    if (std::ranges::find(task.tables, rows.table) == task.tables.end()) {
      task.tables.push_back(rows.table);
    }
  }
  task.rows = calibration_runs(plan);
  return task;
}

/// One plan for all whose rows are of the same stack or device.
std::vector<datasets::CalibrationPlan> joint_plans(const CalibratedSubject& subject) {
  std::vector<datasets::CalibrationPlan> joint;
  for (const auto* plan : datasets::calibration_plans_of(subject.kind, subject.name)) {
    const auto at = std::ranges::find(joint, plan->of, &datasets::CalibrationPlan::of);
    if (at == joint.end()) {
      joint.push_back(*plan);
    } else {
      at->rows.insert(at->rows.end(), plan->rows.begin(), plan->rows.end());
    }
  }
  return joint;
}

}  // namespace

CalibratedSubject find_subject(CalibrationSubject kind, const std::string& name_or_path,
                               const std::string& where) {
  CalibratedSubject subject;
  subject.kind = kind;
  const bool of_stack = kind == CalibrationSubject::stack;
  subject.document = scenarios::find_document(
      of_stack ? scenarios::Kind::stack : scenarios::Kind::device, name_or_path, "", where);
  std::vector<support::Problem> problems;
  if (of_stack) {
    subject.stack = scenarios::read_stack(subject.document, problems);
  } else {
    subject.device = scenarios::read_device(subject.document, problems);
  }
  support::throw_if_any(problems);
  subject.name = scenarios::described_name(subject.document);
  subject.shipped = of_stack ? datasets::library().stacks.contains(subject.name)
                             : datasets::library().devices.contains(subject.name);
  return subject;
}

std::vector<CalibrationTask> planned_tasks(const CalibratedSubject& subject) {
  std::vector<CalibrationTask> tasks;
  for (const auto* plan : datasets::calibration_plans_of(subject.kind, subject.name)) {
    tasks.push_back(task_of_plan(*plan));
  }
  return tasks;
}

std::vector<CalibrationTask> planned_tasks(const CalibratedSubject& subject,
                                           std::span<const datasets::CalibrationPlan> plans) {
  std::vector<CalibrationTask> tasks;
  for (const datasets::CalibrationPlan& plan : plans) {
    if (plan.subject == subject.kind && plan.of == subject.name) {
      tasks.push_back(task_of_plan(plan));
    }
  }
  return tasks;
}

std::optional<CalibrationTask> joint_task(const CalibratedSubject& subject,
                                          std::vector<std::string> fit) {
  std::optional<CalibrationTask> joint;
  for (const datasets::CalibrationPlan& plan : joint_plans(subject)) {
    CalibrationTask task = task_of_plan(plan);
    if (!joint) {
      joint = std::move(task);
      continue;
    }
    std::ranges::move(task.tables, std::back_inserter(joint->tables));
    append(std::move(task.rows), joint->rows);
  }
  if (!joint) return joint;
  joint->name.clear();
  joint->fit = std::move(fit);
  return joint;
}

CalibrationTask task_of_tables(const CalibratedSubject& subject,
                               std::span<const std::string> tables, std::vector<std::string> fit,
                               const std::string& where, datasets::GivenColumns given) {
  require_once(tables, where);
  ReadTables read;
  for (const std::string& table : tables) read_table(table, where, given, read);
  CalibrationTask task{.of = subject.name, .fit = std::move(fit)};
  for (const datasets::Measurements& table : read.runs) task.tables.push_back(table.name);
  for (const auto& table : read.results) task.tables.push_back(table.name);
  for (const datasets::KernelMeasurements& table : read.kernels) task.tables.push_back(table.name);
  const datasets::Library among = library_with(subject);
  const bool by_name = subject.shipped || is_named(subject, read);
  const std::string of = by_name ? subject.name : std::string();
  append(calibration_runs(read.runs, subject.kind, of, among), task.rows);
  append(calibration_runs(read.results, subject.kind, of), task.rows);
  if (is_stack(subject)) {
    for (const auto& table : read.kernels) task.rows.skipped["a kernel"] += table.rows.size();
  } else {
    append(calibration_kernels(read.kernels, of, among), task.rows);
  }
  task.fit_is_default = task.fit.empty();
  if (task.fit_is_default) task.fit = default_fit(subject, task.rows);
  return task;
}

std::vector<std::string> default_fit(const CalibratedSubject& subject,
                                     const CalibrationRuns& rows) {
  Names fit;
  if (!is_stack(subject)) {
    add_kernel_fit(rows.kernels, fit);
    if (rows.kernels.empty()) fit = {"gemm_efficiency", "memory_efficiency"};
    return fit;
  }
  for (const auto* plan : datasets::calibration_plans_of(subject.kind, subject.name)) {
    fit.insert(fit.end(), plan->fit.begin(), plan->fit.end());
  }
  if (fit.empty()) {
    const bool counts = sim::counts_kernels(subject.stack);
    fit = {"gemm_factor", "element_wise_factor", counts ? "launch_us" : "host_layer_forward_ms"};
  }
  return fit;
}

std::vector<FinishedCalibration> run_calibrations(const CalibratedSubject& subject,
                                                  std::vector<CalibrationTask> tasks,
                                                  const std::string& where, int threads) {
  std::vector<FinishedCalibration> finished;
  std::vector<Found> found;
  for (CalibrationTask& task : tasks) {
    require_rows(task, where);
    prepare(subject, found, task);
    Calibration result = fit_told(task, where, [&](const Names& fit) {
      return calibrate(task.rows.runs, task.rows.kernels, subject.kind, fit, threads);
    });
    for (FittedConstant& constant : result.constants) {
      const std::string name(constant.name);
      constant.before = value_of(subject, name);
      found.push_back({.of = task.of, .name = name, .value = constant.after});
    }
    finished.push_back({.task = std::move(task), .result = std::move(result)});
  }
  return finished;
}

}  // namespace cubicbench::predictor
