#pragma once

#include <filesystem>
#include <string>

#include "cli/options/shared_options.h"
#include "predictor/calibration/asked_calibration.h"

namespace cubicbench::cli {

/// What the command line of `calibrate` asks for.
struct CalibrationRequest {
  Values stack, device, collectives;  ///< one name in one of them
  predictor::AskedCalibration asked;
  std::filesystem::path out;
  GlobalOptions global;
};

void declare_calibration(Options& options, CalibrationRequest& request);

/// Where the command line says what.
predictor::AskedWhere where_of(const CalibrationRequest& request);

/// The command that repeats it; of a path it has the last part only.
std::string command_of(const CalibrationRequest& request);

}  // namespace cubicbench::cli
