#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "search/study/warm_start.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {

/// `warm_start` of a plan.json: `{"from": [..], "problems": [{"scenario", "instance", "sha256",
/// "launches": [{"config", "state", "reason", "value", "metrics", "cost_gpu_hours"}]}]}`.
nlohmann::ordered_json warm_starts_json(const WarmStarts& warm);

/// Reads that. Where a hash is not that of its launches, these were changed by hand: a problem.
WarmStarts read_warm_starts(support::ObjectReader in);

/// A warm start of these launches, with its hash.
WarmStart warm_start_of(std::string scenario, std::int64_t instance,
                        std::vector<KnownLaunch> launches);

}  // namespace cubicbench::search
