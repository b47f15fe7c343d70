#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/requests/paper_request.h"
#include "results/document/document.h"
#include "scenarios/readers/campaign_reader.h"

namespace cubicbench::cli {

/// Runs the studies of a campaign, or goes on with them. Returns what they came to, for the
/// terminal, and adds to `list` what --json says of each. Throws InputError, OutputError
/// and Interrupted.
results::Document search_all(const scenarios::Campaign& campaign, const PaperRequest& request,
                             nlohmann::ordered_json& list);

}  // namespace cubicbench::cli
