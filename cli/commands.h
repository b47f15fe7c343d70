#pragma once

#include <vector>

#include "cli/options/command.h"

namespace cubicbench::cli {

/// Every subcommand, in the order of the help text. The page has a list of its own
/// (web/engine/commands.cc).
std::vector<Command> all_commands();

Command list_command();
Command report_command();
Command simulate_command();
Command launch_command();
Command explain_command();
Command goodput_command();
Command post_training_command();
Command sweep_command();
Command timeline_command();
Command collective_command();
Command search_command();
Command serve_command();
Command merge_command();
Command compare_command();
Command verify_command();
Command leaderboard_command();
Command export_command();
Command landscape_command();
Command family_command();
Command suite_command();
Command enumerate_command();
Command dataset_command();
Command import_command();
Command predict_command();
Command validate_command();
Command calibrate_command();
Command paper_command();
Command lesson_command();
Command glossary_command();
Command completion_command();

}  // namespace cubicbench::cli
