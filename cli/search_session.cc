#include "cli/search_session.h"

#include <memory>
#include <string_view>
#include <utility>

#include "cli/interruption.h"
#include "cli/progress.h"
#include "results/number_text.h"
#include "scenarios/input_error.h"

namespace cubicbench::cli {
namespace {

/// Launches of the simulator end before anyone can read this.
constexpr std::string_view waiting_note =
    "\ncubicbench: waiting for the launches that run; a second signal ends them at once\n";

std::int64_t launches_of(const search::SearchResult& result) {
  std::int64_t launches = 0;
  for (const search::StudySummary& study : result.studies) {
    launches += study.trials;
  }
  return launches;
}

Interrupted interrupted(int signal, const search::SearchResult& result,
                        const search::SearchRun& run, const std::string& command) {
  const std::string launches = results::grouped(static_cast<std::uint64_t>(launches_of(result)));
  return {signal, "cubicbench: ended by " + signal_name(signal) + "; " +
                      scenarios::shortened(run.out.string()) + " holds " + launches +
                      " launches and is in order: " + command + " continues"};
}

}  // namespace

search::SearchResult run_session(const search::SearchPlan& plan, search::SearchRun run, bool quiet,
                                 const std::string& command) {
  const bool is_real = plan.backend != "simulator";
  const InterruptionWatch watch(is_real && !quiet ? waiting_note : "");
  run.stop = &watch.requested();
  search::SearchResult result;
  {
    const std::unique_ptr<Progress> progress = terminal_progress(quiet);
    if (progress != nullptr) {
      run.progress = [&progress](const search::SearchProgress& now) {
        progress->show(now.launches_done, now.launches_total);
      };
    }
    result = search::run_search(plan, run);
  }
  if (result.stopped) {
    throw interrupted(watch.signal(), result, run, command);
  }
  return result;
}

}  // namespace cubicbench::cli
