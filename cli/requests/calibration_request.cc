#include "cli/requests/calibration_request.h"

#include <algorithm>

#include "cli/options/readers.h"
#include "results/studies/study_commands.h"
#include "scenarios/constants/constants.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using predictor::CalibrationSubject;
using support::InputError;
using Names = std::vector<std::string>;

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

bool is_of_memory(CalibrationSubject kind, const std::string& name) {
  if (kind != CalibrationSubject::stack) return false;
  const scenarios::StackConstant* const found = scenarios::find_stack_constant(name);
  return found != nullptr && found->kind == scenarios::ConstantKind::memory;
}

/// Timed runs feel them only where memory is nearly full, and would fit them to anything else.
void refuse_of_memory(const Names& names, const Names& known, Problems& problems) {
  if (names.empty()) return;
  problems.push_back({"--fit", "expected constants of time, got " + support::joined(names, ", ") +
                                   (names.size() == 1 ? ", which is" : ", which are") +
                                   " of memory, and timed runs cannot tell it; those of time are " +
                                   support::joined(known, ", ")});
}

/// What may be fitted of the subject.
Names known_constants(CalibrationSubject kind, const predictor::AskedCalibration& asked) {
  if (kind == CalibrationSubject::stack) {
    return scenarios::stack_constant_names(scenarios::ConstantKind::time);
  }
  if (kind == CalibrationSubject::device) return scenarios::device_constant_names();
  return scenarios::constant_names(asked.costs->costs);
}

std::string described(CalibrationSubject kind) {
  if (kind == CalibrationSubject::collectives) return "those costs";
  return "a " + std::string(datasets::name_of(kind));
}

/// Constants of the subject by name, each once.
void check_fit(const CalibrationRequest& request) {
  const std::vector<Given> given = subjects_given(request);
  if (given.size() != 1) return;
  const CalibrationSubject kind = given.front().kind;
  if (kind == CalibrationSubject::collectives && !request.asked.costs) return;
  const Names known = known_constants(kind, request.asked);
  Problems problems;
  Names fit;
  Names of_memory;
  for (const std::string& word : request.asked.fit) {
    if (is_of_memory(kind, word)) {
      of_memory.push_back(word);
    } else if (std::ranges::find(known, word) == known.end()) {
      problems.push_back({"--fit", "expected a constant of " + described(kind) + ", got " +
                                       in_quotes(word) + support::did_you_mean(word, known)});
    } else if (std::ranges::find(fit, word) != fit.end()) {
      problems.push_back({"--fit", "expected every constant once, got " + word + " again"});
    }
    fit.push_back(word);
  }
  refuse_of_memory(of_memory, known, problems);
  support::throw_if_any(problems);
}

/// A path as somebody else's machine has it.
std::string portable(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  return results::shell_word(last == name || name.ends_with(".csv") ? last : "./" + last);
}

}  // namespace

void declare_calibration(Options& options, CalibrationRequest& request) {
  constexpr FileEnding json{".json"};
  options.arguments(files,
                    "Tables of runs, timed kernels or collectives: CSV files,\nor names of tables "
                    "that ship (default: those that the\nconstants were fitted to)",
                    request.asked.tables);
  options.values("--stack", "NAME", "Whose constants: a stack of the library, or a file",
                 request.stack);
  options.values("--device", "NAME", "Or a device", request.device);
  options
      .values("--collectives", "NAME", "Or what collectives cost, of scenarios/collectives",
              request.collectives)
      .check([&request] { read_subject(request); });
  options
      .words("--fit", "NAME[,..]",
             "Constants to fit (default: what was fitted of it as it\nships; of one's own those "
             "that most runs tell,\ndocs/calibration.md)",
             request.asked.fit)
      .check([&request] { check_fit(request); });
  options
      .value("--out", "FILE.json", "Where to write the file with the new values", request.out, json)
      .required(json.missing());
}

predictor::AskedWhere where_of(const CalibrationRequest& request) {
  return {.subject = subject_given(request).option, .tables = files, .fit = "--fit"};
}

std::string command_of(const CalibrationRequest& request) {
  std::string command = "cubicbench calibrate";
  for (const std::string& name : request.asked.tables) command += " " + portable(name);
  const Given subject = subject_given(request);
  command += " " + subject.option + " " + portable(subject.names.front());
  const Names& fit = request.asked.fit;
  if (!fit.empty()) command += " --fit " + support::joined(fit, ",");
  return command + " --out " + results::shell_word(request.out.filename().string());
}

}  // namespace cubicbench::cli
