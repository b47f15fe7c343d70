#pragma once

#include "cli/options.h"
#include "search/folder/campaign.h"

namespace cubicbench::cli {

/// What the command line of `search` asks for.
struct SearchRequest {
  search::SearchPlan plan;
  search::SearchRun run;
  GlobalOptions global;
};

void declare_search_options(CLI::App& app);

/// Reads them, and the file of --plan for what was not given. Throws InputError with everything
/// that is wrong with the command line, each at its option.
SearchRequest search_request(const CLI::App& app);

}  // namespace cubicbench::cli
