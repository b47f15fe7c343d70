#include "cli/terminal/watched_search.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/terminal/progress.h"
#include "support/input_error.h"
#include "support/interruption.h"

namespace cubicbench::cli {
namespace {

/// Launches of the simulator end before anyone can read this. A terminal has just shown ^C.
std::string_view waiting_note() {
  constexpr std::string_view note =
      "\ncubicbench: waiting for the launches that run; a second signal ends them at once\n";
  return ::isatty(STDERR_FILENO) == 1 ? note : note.substr(1);
}

support::Interrupted interrupted(int signal, const search::SearchRun& run,
                                 const std::string& command) {
  return {signal, "cubicbench: ended by " + support::signal_name(signal) + "; " +
                      support::shortened(run.out.string()) + " is in order: " + command +
                      " continues"};
}

}  // namespace

search::SearchResult run_watched(const search::SearchPlan& plan, search::SearchRun run, bool quiet,
                                 const std::string& command) {
  const bool is_real = plan.backend != "simulator" && plan.backend != "table";
  const support::InterruptionWatch watch(is_real && !quiet ? waiting_note() : "");
  run.stop = &watch.requested();
  search::SearchResult result;
  {
    const std::unique_ptr<Progress> progress = terminal_progress(quiet);
    if (progress != nullptr) {
      run.progress = [&progress](const search::SearchProgress& now) {
        progress->show(now.launches_done, now.launches_total);
      };
    }
    if (!quiet) {
      run.note = [&progress](const std::string& text) {
        if (progress != nullptr) progress->clear();
        std::cerr << "cubicbench: " + text + "\n" << std::flush;
      };
    }
    result = search::run_search(plan, run);
  }
  if (result.stopped) throw interrupted(watch.signal(), run, command);
  return result;
}

}  // namespace cubicbench::cli
