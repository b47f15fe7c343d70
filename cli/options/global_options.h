#pragma once

#include "cli/options/options.h"

namespace cubicbench::cli {

/// What every subcommand accepts beside --help.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;  ///< 0: all cores
};

void declare_global(Options& options, GlobalOptions& asked);

}  // namespace cubicbench::cli
