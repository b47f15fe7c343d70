#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "predictor/calibration/collective_calibration.h"
#include "predictor/calibration/subject_calibration.h"
#include "results/document/terminal.h"
#include "results/studies/study_commands.h"
#include "results/tables/calibration_report.h"
#include "scenarios/constants/constants.h"
#include "scenarios/readers/library_entry.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using predictor::CalibratedSubject;
using predictor::CalibrationSubject;
using predictor::CalibrationTask;
using support::InputError;
using Names = std::vector<std::string>;
using Problems = std::vector<support::Problem>;

constexpr const char* files = "FILE|NAME";

void declare(CLI::App& app) {
  declare_positionals(
      app, files,
      "Tables of runs, timed kernels or collectives: CSV files,\nor names of tables "
      "that ship (default: those that the\nconstants were fitted to)");
  declare_value(app, "--stack", "NAME", "Whose constants: a stack of the library, or a file");
  declare_value(app, "--device", "NAME", "Or a device");
  declare_value(app, "--collectives", "NAME", "Or what collectives cost, of scenarios/collectives");
  declare_value(app, "--fit", "NAME[,..]",
                "Constants to fit (default: what was fitted of it as it\nships; of one's own those "
                "that most runs tell,\ndocs/calibration.md)");
  declare_value(app, "--out", "FILE.json", "Where to write the file with the new values");
}

/// What the command line asks for.
struct Asked {
  GlobalOptions global;
  CalibratedSubject subject;
  std::optional<predictor::CalibratedCosts> costs;  ///< of collectives, with `subject` in them
  Names tables;
  Names fit;
  fs::path out;
  std::string command;  ///< that repeats it; of a path it has the last part only
};

constexpr std::array<std::string_view, 3> subject_options{"--stack", "--device", "--collectives"};

std::string option_of(CalibrationSubject kind) {
  return std::string(subject_options[static_cast<std::size_t>(kind)]);
}

CalibrationSubject kind_of(const CLI::App& app) {
  std::vector<std::size_t> given;
  for (std::size_t i = 0; i < subject_options.size(); ++i) {
    if (app.count(std::string(subject_options[i])) > 0) given.push_back(i);
  }
  if (given.empty()) {
    throw InputError("--stack", "expected --stack, --device or --collectives, got none");
  }
  if (given.size() > 1) {
    throw InputError(std::string(subject_options[given[1]]),
                     "expected --stack, --device or --collectives, got " +
                         std::string(given.size() == 2 ? "both " : "") +
                         std::string(subject_options[given[0]]) + " and " +
                         std::string(subject_options[given[1]]));
  }
  return static_cast<CalibrationSubject>(given.front());
}

void read_subject(const CLI::App& app, CalibrationSubject kind, Asked& asked) {
  const std::string option = option_of(kind);
  const std::string name = value_of(app, option).value_or("");
  if (kind == CalibrationSubject::collectives) {
    asked.costs = predictor::find_costs(name, option);
    asked.subject = asked.costs->subject;
  } else {
    asked.subject = predictor::find_subject(kind, name, option);
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
Names known_constants(CalibrationSubject kind, const Asked& asked) {
  if (kind == CalibrationSubject::stack) {
    return scenarios::stack_constant_names(scenarios::ConstantKind::time);
  }
  if (kind == CalibrationSubject::device) return scenarios::device_constant_names();
  return asked.costs ? scenarios::constant_names(asked.costs->costs) : Names();
}

std::string described(CalibrationSubject kind) {
  if (kind == CalibrationSubject::collectives) return "those costs";
  return "a " + std::string(datasets::name_of(kind));
}

/// Constants by name, each once.
Names read_fit(const CLI::App& app, CalibrationSubject kind, const Names& known,
               Problems& problems) {
  Names fit;
  Names of_memory;
  for (const std::string& word : words_of(app, "--fit")) {
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
  if (app.count("--fit") > 0 && fit.empty()) problems.push_back({"--fit", "expected a constant"});
  return fit;
}

fs::path read_out(const CLI::App& app) {
  const std::string out = value_of(app, "--out").value_or("");
  if (!out.ends_with(".json")) {
    throw InputError("--out", "expected a file name that ends in .json, got " +
                                  (out.empty() ? std::string("nothing") : in_quotes(out)));
  }
  return out;
}

/// A path as somebody else's machine has it.
std::string portable(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  return results::shell_word(last == name || name.ends_with(".csv") ? last : "./" + last);
}

std::string command_of(const CLI::App& app, CalibrationSubject kind) {
  std::string command = "cubicbench calibrate";
  for (const std::string& name : values_of(app, files)) command += " " + portable(name);
  const std::string option = option_of(kind);
  command += " " + option + " " + portable(value_of(app, option).value_or(""));
  if (const Names fit = words_of(app, "--fit"); !fit.empty()) {
    command += " --fit ";
    for (std::size_t i = 0; i < fit.size(); ++i) command += (i == 0 ? "" : ",") + fit[i];
  }
  const fs::path out(value_of(app, "--out").value_or(""));
  return command + " --out " + results::shell_word(out.filename().string());
}

Asked read_asked(const CLI::App& app) {
  Problems problems;
  Asked asked;
  asked.global = gathered(problems, [&] { return global_options(app); });
  const auto kind = gathered(problems, [&] { return std::optional(kind_of(app)); });
  if (kind) {
    const std::size_t before = problems.size();
    gathered(problems, [&] {
      read_subject(app, *kind, asked);
      return true;
    });
    if (problems.size() == before || *kind != CalibrationSubject::collectives) {
      asked.fit = read_fit(app, *kind, known_constants(*kind, asked), problems);
    }
  }
  asked.tables = values_of(app, files);
  asked.out = gathered(problems, [&] { return read_out(app); });
  support::throw_if_any(problems);
  asked.command = command_of(app, asked.subject.kind);
  return asked;
}

[[noreturn]] void refuse_without_table(const Asked& asked) {
  throw InputError(files, "expected a table, as no shipped constant of " + asked.subject.name +
                              " was fitted, got none");
}

CalibrationTask with_fit_asked(CalibrationTask task) {
  task.fit_where = "--fit";
  return task;
}

std::vector<CalibrationTask> tasks_of(const Asked& asked) {
  if (!asked.tables.empty()) {
    CalibrationTask task = predictor::task_of_tables(asked.subject, asked.tables, asked.fit, files);
    return {asked.fit.empty() ? std::move(task) : with_fit_asked(std::move(task))};
  }
  if (asked.fit.empty()) {
    std::vector<CalibrationTask> tasks = predictor::planned_tasks(asked.subject);
    if (tasks.empty()) refuse_without_table(asked);
    return tasks;
  }
  std::optional<CalibrationTask> task = predictor::joint_task(asked.subject, asked.fit);
  if (!task) refuse_without_table(asked);
  return {with_fit_asked(std::move(*task))};
}

CalibrationTask task_of_costs(const Asked& asked) {
  if (!asked.tables.empty()) {
    return predictor::task_of_tables(*asked.costs, asked.tables, asked.fit, files);
  }
  std::optional<CalibrationTask> task = predictor::planned_task(*asked.costs);
  if (!task) refuse_without_table(asked);
  if (!asked.fit.empty()) {
    task->fit = asked.fit;
    task->fit_is_default = false;
  }
  return std::move(*task);
}

std::vector<predictor::FinishedCalibration> calibrations_of(const Asked& asked) {
  const std::string where = asked.tables.empty() ? option_of(asked.subject.kind) : files;
  if (!asked.costs) {
    return predictor::run_calibrations(asked.subject, tasks_of(asked), where,
                                       static_cast<int>(asked.global.threads));
  }
  CalibrationTask task = task_of_costs(asked);
  if (!asked.fit.empty()) task = with_fit_asked(std::move(task));
  return {predictor::run_calibration(*asked.costs, std::move(task), where)};
}

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  const auto calibrations = calibrations_of(asked);
  make_folder(asked.out.parent_path());
  support::write_file_atomic(asked.out,
                             results::fitted_file(asked.subject, calibrations, asked.command));
  if (asked.global.json) {
    return support::document_text(
        results::calibration_json(asked.subject, calibrations, asked.out.string()));
  }
  const std::string what =
      asked.costs ? "costs are" : std::string(datasets::name_of(asked.subject.kind)) + " is";
  return results::terminal_text(results::calibration_document(asked.subject, calibrations)) +
         "\nThe " + what + " in " + asked.out.string() + "\n";
}

}  // namespace

Command calibrate_command() {
  return {.name = "calibrate",
          .summary = "Fits constants of stacks, devices and collectives",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
