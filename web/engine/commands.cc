#include "cli/commands.h"

namespace cubicbench::cli {

// In the place of cli/all_commands.cc: what a page can do without files, other programs, threads
// and XGBoost.
std::vector<Command> all_commands() {
  return {list_command(),     simulate_command(),   explain_command(), sweep_command(),
          timeline_command(), collective_command(), launch_command(),  glossary_command()};
}

}  // namespace cubicbench::cli
