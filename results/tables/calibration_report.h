#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "predictor/calibration/subject_calibration.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// What `calibrate --json` prints: schema `cubicbench.calibrate/1`. `file` is where the fitted
/// description was written. Requires at least one calibration.
nlohmann::ordered_json calibration_json(
    const predictor::CalibratedSubject& subject,
    std::span<const predictor::FinishedCalibration> calibrations, const std::string& file);

/// The same for people.
Document calibration_document(const predictor::CalibratedSubject& subject,
                              std::span<const predictor::FinishedCalibration> calibrations);

/// The subject's file with the fitted values, each with its provenance; `command` repeats it.
std::string fitted_file(const predictor::CalibratedSubject& subject,
                        std::span<const predictor::FinishedCalibration> calibrations,
                        const std::string& command);

}  // namespace cubicbench::results
