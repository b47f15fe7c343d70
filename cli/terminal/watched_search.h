#pragma once

#include <string>

#include "search/folder/campaign.h"

namespace cubicbench::cli {

/// Runs a search as the terminal sees it: a progress bar unless `quiet`, and an orderly end on
/// SIGINT and SIGTERM. `command` is what continues it, for the message. Throws Interrupted when it
/// was ended early, and what run_search throws.
search::SearchResult run_watched(const search::SearchPlan& plan, search::SearchRun run, bool quiet,
                                 const std::string& command);

}  // namespace cubicbench::cli
