#include "cli/commands.h"

namespace cubicbench::cli {

std::vector<Command> all_commands() {
  return {list_command(),          simulate_command(),  explain_command(),  goodput_command(),
          post_training_command(), sweep_command(),     timeline_command(), collective_command(),
          search_command(),        serve_command(),     merge_command(),    compare_command(),
          leaderboard_command(),   verify_command(),    export_command(),   enumerate_command(),
          landscape_command(),     family_command(),    suite_command(),    dataset_command(),
          import_command(),        predict_command(),   validate_command(), calibrate_command(),
          launch_command(),        report_command(),    paper_command(),    lesson_command(),
          glossary_command(),      completion_command()};
}

}  // namespace cubicbench::cli
