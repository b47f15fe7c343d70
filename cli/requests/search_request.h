#pragma once

#include <optional>
#include <string>

#include "cli/options/shared_options.h"
#include "search/folder/campaign.h"

namespace cubicbench::cli {

/// What the command line of `search` asks for.
struct SearchRequest {
  search::SearchPlan plan;             ///< that of --plan, but for what is given
  bool planned = false;                ///< whether there is one
  std::optional<std::string> backend;  ///< as it is given; `plan` has what it comes to
  std::optional<std::string> salt;
  std::optional<std::string> suite;
  std::optional<std::int64_t> seeds;
  search::SearchRun run;
  GlobalOptions global;
};

void declare_search(Options& options, SearchRequest& request);

}  // namespace cubicbench::cli
