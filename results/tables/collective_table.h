#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "scenarios/collective/collective_question.h"

namespace cubicbench::results {

/// What was asked, and an answer for every size.
struct CollectiveTable {
  std::string cluster;
  sim::Group group;
  std::int64_t groups = 1;  ///< at once
  bool range = false;       ///< whether sizes were asked for as a range
  std::vector<scenarios::CollectiveAnswer> answers;
};

/// The columns of nccl-tests, and which algorithm and protocol the library takes and what that is
/// bound by. Counts are of 4-byte elements; of gathers, scatters and all-to-alls those of one
/// rank's part.
Document collective_document(const CollectiveTable& table);

/// Of one size {"op", "size_bytes", "ranks", "time_us", "algbw_gbps", "busbw_gbps", "algorithm",
/// "protocol", "bottleneck"}; of a range {"op", "ranks", "results": [..]} with those of each size.
/// Of the event engine also "event": {"events", "ranks", "flows"}.
nlohmann::ordered_json collective_json(const CollectiveTable& table);

}  // namespace cubicbench::results
