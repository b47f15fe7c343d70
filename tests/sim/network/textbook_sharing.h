#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// A flow set as a row of a table.
struct SharingSet {
  std::vector<LinkUse> uses;  ///< of one bundle more than once: each counts
  std::int64_t cap = 1;
  bool active = false;
};

/// Max-min fair rates by progressive filling as in a textbook: of all sets on all bundles, from the
/// beginning. 0 for sets that are not active.
std::vector<std::int64_t> textbook_rates(const std::vector<std::int64_t>& capacities,
                                         const std::vector<SharingSet>& sets);

}  // namespace cubicbench::sim
