#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/calibration_request.h"
#include "predictor/calibration/asked_calibration.h"
#include "results/document/terminal.h"
#include "results/tables/calibration_report.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

Reply answer(const CalibrationRequest& request, const results::Screen& screen) {
  const predictor::AskedCalibration& asked = request.asked;
  const auto calibrations =
      predictor::run_calibrations(asked, where_of(request), request.global.threads);
  write_output(request.out, results::fitted_file(asked.subject, calibrations, command_of(request)));
  if (request.global.json) {
    return support::document_text(
        results::calibration_json(asked.subject, calibrations, request.out.string()));
  }
  const std::string what =
      asked.costs ? "costs are" : std::string(datasets::name_of(asked.subject.kind)) + " is";
  return results::terminal_text(results::calibration_document(asked.subject, calibrations),
                                screen) +
         "\nThe " + what + " in " + request.out.string() + "\n";
}

}  // namespace

Command calibrate_command() { return command(words::calibrate, declare_calibration, answer); }

}  // namespace cubicbench::cli
