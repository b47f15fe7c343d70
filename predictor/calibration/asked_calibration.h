#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predictor/calibration/collective_calibration.h"
#include "predictor/calibration/subject_calibration.h"

namespace cubicbench::predictor {

/// What somebody wants fitted, and to what.
struct AskedCalibration {
  CalibratedSubject subject;
  std::optional<CalibratedCosts> costs;  ///< of collectives, with `subject` in them
  std::vector<std::string> tables;       ///< files or names; none: those of the plans that ship
  std::vector<std::string> fit;          ///< constants; none: the usual ones
  std::vector<datasets::GivenColumn> columns{};  ///< that logs among the tables do not state
};

/// Where each of it was asked for, of errors.
struct AskedWhere {
  std::string subject;
  std::string tables;
  std::string fit;
};

/// Whether every constant is one of the subject, given once, and of what timed runs can tell.
/// Throws InputError at `where` with all that are not. Requires `costs` of a subject that is
/// collectives.
void check_fit(const AskedCalibration& asked, const std::string& where);

/// Fits it on up to `threads` threads (0: all cores), which change no bit. Throws InputError where
/// no table is given and none ships, and what run_calibrations() throws.
std::vector<FinishedCalibration> run_calibrations(const AskedCalibration& asked,
                                                  const AskedWhere& where, int threads);

}  // namespace cubicbench::predictor
