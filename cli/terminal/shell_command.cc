#include "cli/terminal/shell_command.h"

#include <chrono>
#include <iostream>
#include <string_view>

#include "support/input_error.h"
#include "support/interruption.h"
#include "support/process.h"

namespace cubicbench::cli {

using support::Process;

std::optional<std::string> shell_failure(const std::string& command, const std::string& option) {
  constexpr std::chrono::milliseconds look{100};
  const support::InterruptionWatch watch({.patience = support::Patience::endless});
  const auto show = [](std::string_view piece) { std::cerr << piece << std::flush; };
  Process process(support::shell_call(command), "", {.out = show, .err = show});
  bool asked = false;
  for (Process* const self = &process; !process.ended();) {
    Process::attend({&self, 1}, look);
    if (watch.requested().load() && !asked) {
      process.terminate();
      asked = true;
    }
  }
  if (asked) {
    throw support::Interrupted(watch.signal(),
                               option + ": ended by " + support::signal_name(watch.signal()));
  }
  const support::ProcessEnd& end = process.end();
  if (end.exit_code == 0) return std::nullopt;
  return end.signal != 0 ? support::signal_name(end.signal)
                         : "exit code " + std::to_string(end.exit_code);
}

void run_shell_command(const std::string& command, const std::string& option) {
  if (const auto how = shell_failure(command, option)) {
    throw support::OutputError(option + ": the command ended with " + *how + ": " + command);
  }
}

}  // namespace cubicbench::cli
