#pragma once

#include <functional>
#include <string>
#include <vector>

#include "predictor/calibration/subject_calibration.h"

namespace cubicbench::predictor {

/// Throws InputError where the task has no row, at `where`, or no more rows than constants, at the
/// task's `fit_where`, else at `where`.
void require_rows(const CalibrationTask& task, const std::string& where);

using FitOf = std::function<Calibration(const std::vector<std::string>& fit)>;

/// Fits the task's constants; of those that nobody asked for and the rows leave open the last one
/// is given up, until none is left open. Values have the four digits that files get. Throws
/// InputError for what was asked for and is left open.
Calibration fit_told(CalibrationTask& task, const std::string& where, const FitOf& fit_of);

}  // namespace cubicbench::predictor
