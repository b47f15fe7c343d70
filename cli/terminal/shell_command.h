#pragma once

#include <string>

namespace cubicbench::cli {

/// Runs a command in the shell to its end; what it prints goes to standard error. Throws
/// OutputError where it fails, naming `option`, and Interrupted where a signal arrived meanwhile.
void run_shell_command(const std::string& command, const std::string& option);

}  // namespace cubicbench::cli
