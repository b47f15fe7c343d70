#pragma once

#include <optional>
#include <string>

namespace cubicbench::cli {

/// Runs a command in the shell to its end; what it prints goes to standard error. Returns how it
/// failed, "exit code 2" or the name of a signal, or nothing. Throws Interrupted, naming `option`,
/// where a signal arrived meanwhile, and OutputError where nothing can be started.
std::optional<std::string> shell_failure(const std::string& command, const std::string& option);

/// The same. Throws OutputError where it fails.
void run_shell_command(const std::string& command, const std::string& option);

}  // namespace cubicbench::cli
