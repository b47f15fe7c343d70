#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "predictor/calibration/subject_calibration.h"
#include "scenarios/readers/collective_costs_reader.h"

namespace cubicbench::predictor {

/// A file of scenarios/collectives whose numbers are fitted.
struct CalibratedCosts {
  CalibratedSubject subject;
  scenarios::CollectiveCosts costs;  ///< as the file has them
};

/// A name of the library or a path. Throws InputError, at `where` for an unknown name.
CalibratedCosts find_costs(const std::string& name_or_path, const std::string& where);

/// The rows of `tables` that are simulated with the costs of that name: inside one domain those of
/// the domain, between several those of the fabric. Rows in place repeat others. A sweep counts the
/// same in each third of its sizes (below 1 MiB, to 64 MiB, above), however many it has there.
CalibrationRuns calibration_collectives(std::span<const datasets::CollectiveMeasurements> tables,
                                        const std::string& costs);

/// What the plan that ships fits of the costs; nothing where there is no plan.
std::optional<CalibrationTask> planned_task(const CalibratedCosts& costs);

/// Rows of files or tables by name, to fit `fit` to: where that is empty what the plan fits, else
/// every number that the file gives. Throws InputError, at `where` for an unknown name.
CalibrationTask task_of_tables(const CalibratedCosts& costs, std::span<const std::string> tables,
                               std::vector<std::string> fit, const std::string& where);

/// Fits the task, and tries each system by a fit to the others. Errors as run_calibrations().
FinishedCalibration run_calibration(const CalibratedCosts& costs, CalibrationTask task,
                                    const std::string& where);

}  // namespace cubicbench::predictor
