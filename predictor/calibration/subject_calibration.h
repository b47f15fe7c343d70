#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/logs/given_columns.h"
#include "predictor/calibration/calibration_runs.h"
#include "predictor/calibration/law_fit.h"
#include "scenarios/catalog.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"

namespace cubicbench::predictor {

/// A stack or a device whose constants are fitted.
struct CalibratedSubject {
  CalibrationSubject kind = CalibrationSubject::stack;
  std::string name;      ///< that its file gives it
  bool shipped = false;  ///< that name is in the library, where rows may be mapped to it
  scenarios::Document document;
  sim::Stack stack;    ///< as the file has it; of a stack only
  sim::Device device;  ///< likewise
};

/// A name of the library or a path. Throws InputError, at `where` for an unknown name.
CalibratedSubject find_subject(CalibrationSubject kind, const std::string& name_or_path,
                               const std::string& where);

/// Constants that are fitted together, and to what.
struct CalibrationTask {
  std::string name{};  ///< of the plan; "" for tables that were named by hand
  std::string of;      ///< whose rows they are: another name where values are taken over
  std::vector<std::string> fit;
  std::vector<std::string> tables{};
  CalibrationRuns rows{};
  /// Nobody asked for these constants: those that the rows do not tell are left as they are.
  bool fit_is_default = false;
  std::vector<std::string> left{};  ///< that were, in the order in which they were given up
  std::string fit_where{};          ///< who asked for them, of errors; "" where it was not a user
};

/// What the plans that ship fit of the subject, in their order; none where no plan names it.
std::vector<CalibrationTask> planned_tasks(const CalibratedSubject& subject);
/// The same of the subject's own among `plans`, without what it takes over from others.
std::vector<CalibrationTask> planned_tasks(const CalibratedSubject& subject,
                                           std::span<const datasets::CalibrationPlan> plans);

/// The rows of all plans of the subject, each once, for constants chosen by hand; none where no
/// plan names it.
std::optional<CalibrationTask> joint_task(const CalibratedSubject& subject,
                                          std::vector<std::string> fit);

/// Rows of files or tables by name (runs or kernels), to fit `fit` to, or default_fit() where that
/// is empty. Of a subject that does not ship they are the rows that name it, or all where none
/// does: then the tables are those of its cluster. Throws InputError, at `where` for an unknown
/// name and for a table that is given twice. Logs among them are read with what is `given`.
CalibrationTask task_of_tables(const CalibratedSubject& subject,
                               std::span<const std::string> tables, std::vector<std::string> fit,
                               const std::string& where, datasets::GivenColumns given = {});

/// What is fitted where nobody says: of a stack what the plans that ship fit of it, else
/// gemm_factor, element_wise_factor and host_layer_forward_ms (launch_us where kernels are
/// counted); of a device that gave runs gemm_efficiency and memory_efficiency. Of kernels what they
/// tell: gemm_efficiency, gemm_k_half, gemm_wave_weight and kernel_overhead_us of matrix products,
/// the rates of the kernels there are and attention_s_half of attention, memory_efficiency of
/// streams.
std::vector<std::string> default_fit(const CalibratedSubject& subject, const CalibrationRuns& rows);

struct FinishedCalibration {
  CalibrationTask task;
  Calibration result;
  std::vector<LawErrors> sources{};  ///< of laws; else none
};

/// Fits one task after the other, each with what those before it found. Throws InputError where a
/// task has no row, at `where`; where it has no more rows than constants, or constants that its
/// rows do not tell apart and that were asked for, at the task's `fit_where`, else at `where`. Uses
/// up to `threads` threads (0: all cores), which change no bit.
std::vector<FinishedCalibration> run_calibrations(const CalibratedSubject& subject,
                                                  std::vector<CalibrationTask> tasks,
                                                  const std::string& where, int threads);

}  // namespace cubicbench::predictor
