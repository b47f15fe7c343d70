#pragma once

#include <string>
#include <vector>

#include "search/launch/program_call.h"

namespace cubicbench::cli {

/// Runs the program's own check of the plan; what it prints goes to standard error. Returns why the
/// answer is no, or nothing. Throws OutputError where the program is not installed, and
/// Interrupted. Requires a launcher with a dry run.
std::vector<std::string> dry_run(const search::Launcher& launcher, const search::ProgramCall& call);

}  // namespace cubicbench::cli
