#include "cli/requests/calibration_request.h"

#include "cli/options/column_option.h"
#include "cli/options/readers.h"
#include "results/studies/study_commands.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/without_slash.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using predictor::CalibrationSubject;
using support::InputError;

constexpr const char* files = "FILE|NAME";
constexpr const char* any_subject = "expected --stack, --device or --collectives, got ";

/// A subject that the command line names, and how.
struct Given {
  CalibrationSubject kind;
  std::string option;
  Values names;
};

std::vector<Given> subjects_given(const CalibrationRequest& request) {
  std::vector<Given> given;
  const auto add = [&](CalibrationSubject kind, const char* option, const Values& names) {
    if (!names.empty()) given.push_back({kind, option, names});
  };
  add(CalibrationSubject::stack, "--stack", request.stack);
  add(CalibrationSubject::device, "--device", request.device);
  add(CalibrationSubject::collectives, "--collectives", request.collectives);
  return given;
}

/// The only one of them.
Given subject_given(const CalibrationRequest& request) {
  const std::vector<Given> given = subjects_given(request);
  if (given.empty()) throw InputError("--stack", std::string(any_subject) + "none");
  if (given.size() > 1) {
    throw InputError(given[1].option, any_subject + std::string(given.size() == 2 ? "both " : "") +
                                          given[0].option + " and " + given[1].option);
  }
  return given.front();
}

void read_subject(CalibrationRequest& request) {
  const Given given = subject_given(request);
  const std::string& name = only(given.names, given.option);
  predictor::AskedCalibration& asked = request.asked;
  if (given.kind == CalibrationSubject::collectives) {
    asked.costs = predictor::find_costs(name, given.option);
    asked.subject = asked.costs->subject;
  } else {
    asked.subject = predictor::find_subject(given.kind, name, given.option);
  }
}

/// Of one subject that is there; a stack or a device need not be read for its constants.
void check_fit(const CalibrationRequest& request) {
  const std::vector<Given> given = subjects_given(request);
  if (given.size() != 1) return;
  predictor::AskedCalibration asked = request.asked;
  asked.subject.kind = given.front().kind;
  if (asked.subject.kind == CalibrationSubject::collectives && !asked.costs) return;
  predictor::check_fit(asked, "--fit");
}

/// The name of a file or folder, without the folders that only this machine has.
std::string portable(const std::string& name) {
  const std::string last = support::without_slash(name).filename().string();
  return results::shell_word(last == name || name.ends_with(".csv") ? last : "./" + last);
}

}  // namespace

void declare_calibration(Options& options, CalibrationRequest& request) {
  constexpr FileEnding json{".json"};
  options.arguments(files,
                    "Tables of runs, timed kernels or collectives: CSV files,\nlogs of training "
                    "programs, or names of tables that ship\n(default: those that the constants "
                    "were fitted to)",
                    request.asked.tables);
  declare_columns(options, request.asked.columns).check([&request] {
    require_log(request.asked.columns, request.asked.tables);
  });
  options.values("--stack", "NAME", "Fit constants of this stack: a library name, or a file",
                 request.stack);
  options.values("--device", "NAME", "Fit constants of this device", request.device);
  options
      .values("--collectives", "NAME", "Fit the cost of collectives, of scenarios/collectives",
              request.collectives)
      .check([&request] { read_subject(request); });
  options
      .words("--fit", "NAME[,..]",
             "Constants to fit (default: those that were fitted for\nthe shipped file; for a file "
             "of yours those that most\nruns determine, docs/calibration.md)",
             request.asked.fit)
      .check([&request] { check_fit(request); });
  options.value("--out", "FILE.json", "File for the new values", request.out, json)
      .required(json.missing())
      .writes(Output::updated_file);
}

predictor::AskedWhere where_of(const CalibrationRequest& request) {
  return {.subject = subject_given(request).option, .tables = files, .fit = "--fit"};
}

std::string command_of(const CalibrationRequest& request) {
  std::string command = "cubicbench calibrate";
  for (const std::string& name : request.asked.tables) command += " " + portable(name);
  command += column_words(request.asked.columns);
  const Given subject = subject_given(request);
  command += " " + subject.option + " " + portable(subject.names.front());
  const std::vector<std::string>& fit = request.asked.fit;
  if (!fit.empty()) command += " --fit " + support::joined(fit, ",");
  return command + " --out " + results::shell_word(request.out.filename().string());
}

}  // namespace cubicbench::cli
