#include "cli/options/global_options.h"

#include "cli/options/readers.h"

namespace cubicbench::cli {

void declare_global(Options& options, GlobalOptions& asked) {
  constexpr std::int64_t threads_max = 4096;
  constexpr int before_others = -2;
  options.help();
  options.flag("--json", "Print one JSON document instead of text", asked.json);
  options.flag("--quiet", "No progress and no notes on standard error", asked.quiet);
  options
      .value("--threads", "N", "Worker threads (default: all); never changes a result",
             asked.threads, Integer{1, threads_max})
      .in_turn(before_others);
}

}  // namespace cubicbench::cli
