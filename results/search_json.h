#pragma once

#include <nlohmann/json_fwd.hpp>

#include "search/campaign.h"

namespace cubicbench::results {

/// What `search --json` prints [contracts.md, section 6]: `studies`, in the order of the plan.
nlohmann::ordered_json search_json(const search::SearchResult& result);

}  // namespace cubicbench::results
