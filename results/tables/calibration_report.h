#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "predictor/calibration/subject_calibration.h"

namespace cubicbench::results {

/// Median errors over the rows of all fits.
struct CalibrationErrors {
  double before = 0.0;
  double after = 0.0;
  std::optional<double> left_out;  ///< nothing where a fit has one model only
};

/// Requires at least one calibration.
CalibrationErrors errors_of(std::span<const predictor::FinishedCalibration> calibrations);

/// What `calibrate --json` prints: schema `cubicbench.calibrate/1`. `file` is where the fitted
/// description was written.
nlohmann::ordered_json calibration_json(
    const predictor::CalibratedSubject& subject,
    std::span<const predictor::FinishedCalibration> calibrations, const std::string& file);

/// The same for a terminal.
std::string calibration_text(const predictor::CalibratedSubject& subject,
                             std::span<const predictor::FinishedCalibration> calibrations);

/// The subject's file with the fitted values, each with its provenance; `command` repeats it.
std::string fitted_file(const predictor::CalibratedSubject& subject,
                        std::span<const predictor::FinishedCalibration> calibrations,
                        const std::string& command);

}  // namespace cubicbench::results
