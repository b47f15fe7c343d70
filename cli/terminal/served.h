#pragma once

#include "search/served/served_search.h"

namespace cubicbench::cli {

/// Serves the studies of a plan on the standard streams until they are closed or nobody asks any
/// more. Throws Interrupted when a signal ended it, OutputError when a study was left open, and
/// what ServedSearch and serve_lines() throw. `mcp`: as a Model Context Protocol server.
void serve_streams(const search::SearchPlan& plan, search::SearchRun run, bool mcp, bool reveal,
                   bool quiet);

}  // namespace cubicbench::cli
