#include "cli/terminal/dry_run.h"

#include <optional>

#include "cli/terminal/shell_command.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/scratch_folder.h"
#include "support/shell_word.h"

namespace cubicbench::cli {
namespace {

constexpr const char* option = "--dry-run";

/// Exits with 0 where Python finds the module.
std::string question(const std::string& module) {
  const std::string text =
      "import importlib.util, sys\ntry:\n  found = importlib.util.find_spec('" + module +
      "')\nexcept ModuleNotFoundError:\n  found = None\nsys.exit(found is None)";
  return "python3 -c " + support::shell_word(text);
}

}  // namespace

std::vector<std::string> dry_run(const search::Launcher& launcher,
                                 const search::ProgramCall& call) {
  if (const auto how = shell_failure(question(launcher.dry_run->module), option)) {
    throw support::OutputError(std::string(option) + ": " + launcher.program +
                               " is not installed: python3 finds no module \"" +
                               launcher.dry_run->module + "\"");
  }
  const support::ScratchFolder folder;
  std::string command = support::joined(call.dry_run, " ", support::shell_word);
  if (!call.file_text.empty()) {
    support::write_file_atomic(folder.path() / call.file_name, call.file_text);
    command = "PYTHONPATH=" + support::shell_word(folder.path().string()) +
              "\"${PYTHONPATH:+:$PYTHONPATH}\" " + command;
  }
  if (const auto how = shell_failure(command, option)) {
    return {std::string(option) + ": " + launcher.name() + " ended with " + *how};
  }
  return {};
}

}  // namespace cubicbench::cli
