#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/fits/law_plan.h"
#include "datasets/mapping/library.h"
#include "predictor/calibration/ablated_term.h"
#include "predictor/calibration/calibrate.h"
#include "predictor/calibration/calibration_runs.h"

namespace cubicbench::predictor {

/// |simulated / measured - 1| of the runs of a table on one generation of devices, on one node or
/// on several.
struct LawErrors {
  std::string source;
  std::vector<double> fitted;
  std::vector<double> left_out;  ///< by constants that were fitted without this table
};

/// Constants that all software shares, fitted to the runs of all of it.
struct LawFit {
  Calibration result;  ///< named as LawConstant::label; its models are sources
  CalibrationRuns rows;
  std::vector<LawErrors> sources;
};

/// Runs of dense models by stacks that count kernels, each as the laws time it, without the
/// gemm_factor of its stack: status ok, quality ok, of a plan that can be laid out. `model` of a
/// run is its source, as LawErrors has it.
CalibrationRuns law_runs(const datasets::LawPlan& plan);

/// Fits the constants of `plan` together. A source of n runs weighs as the square root of n. With
/// `leave_out`, also to all tables but each in turn. Uses up to `threads` threads (0: all cores),
/// which change no bit.
LawFit fit_laws(const datasets::LawPlan& plan, bool leave_out, int threads);

/// The constants of `plan`, in their order, fitted to some of the runs that law_runs() gives.
std::vector<double> law_values(const datasets::LawPlan& plan,
                               const std::vector<CalibrationRun>& runs, int threads);

/// Gives the constants of `plan` these values: devices, and stacks that have those of the stack
/// with the laws, and neither a number of their own nor a switch.
void give_laws(const datasets::LawPlan& plan, const std::vector<double>& values,
               datasets::Library& library);

/// The table that a run of law_runs() is of.
std::string_view table_of(const CalibrationRun& run);

/// ablate_terms() with the constants of `plan` and the runs that law_runs() gives.
std::vector<AblatedTerm> ablate_laws(const datasets::LawPlan& plan,
                                     const std::vector<CalibrationRun>& runs, int threads);

/// Does the plan give the stack, or the device, of that name a constant?
bool has_laws(const datasets::LawPlan& plan, CalibrationSubject kind, std::string_view name);

/// `fit` with the constants of that subject alone, under the names that its file has.
Calibration constants_of(const LawFit& fit, const datasets::LawPlan& plan, CalibrationSubject kind,
                         std::string_view name);

}  // namespace cubicbench::predictor
