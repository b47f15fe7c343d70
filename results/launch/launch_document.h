#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "results/document/document.h"
#include "search/launch/program_call.h"

namespace cubicbench::results {

/// The command line as it is typed into a shell, an option a line.
std::string command_text(const search::ProgramCall& call);

/// What to run, the file that it reads the plan from, and what the program lacks. `scenario` is its
/// name.
Document launch_document(const std::string& scenario, const search::Launcher& launcher,
                         const search::ProgramCall& call);

/// The document of `launch --json` [docs/reference/json-documents.md], with `file` behind it where
/// the options are in one.
nlohmann::ordered_json launch_json(const search::Launcher& launcher,
                                   const search::ProgramCall& call);

}  // namespace cubicbench::results
