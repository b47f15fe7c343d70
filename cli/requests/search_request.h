#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/shared_options.h"
#include "search/folder/campaign.h"

namespace cubicbench::cli {

/// What the command line of `search` asks for.
struct SearchRequest {
  search::SearchPlan plan;             ///< that of --plan, but for what is given
  bool planned = false;                ///< whether there is one
  std::optional<std::string> backend;  ///< as it is given; `plan` has what it comes to
  std::optional<std::string> salt;
  mutable std::shared_ptr<const scenarios::Seal> seal{};  ///< of it, once it was read
  std::optional<std::string> suite;
  std::vector<std::string> warm_start;  ///< folders and tables, as they are given
  std::vector<std::string> notes;       ///< what is to be said before it runs
  std::optional<std::int64_t> seeds;
  std::int64_t client_timeout_s = 60;
  search::SearchRun run;
  GlobalOptions global;
};

void declare_search(Options& options, SearchRequest& request);

// Parts of it, for other commands that begin studies.

/// --salt FILE, which seals what the plan searches.
void declare_seal(Options& options, SearchRequest& request);
/// A SCENARIO, drawn from the salt where it is a member of a family.
scenarios::Scenario sealed_scenario(const SearchRequest& request, const std::string& name);
/// --telling, --start, --permute and --backend.
void declare_told(Options& options, SearchRequest& request);
/// --warm-start, which may be repeated.
void declare_warm_start(Options& options, SearchRequest& request);
/// --out, --resume and --sync.
void declare_folder(Options& options, search::SearchRun& run);

}  // namespace cubicbench::cli
