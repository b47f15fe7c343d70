#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// Members of one domain that follow on one another in a group: `size` of them from place `first`.
struct DomainRun {
  std::size_t first = 0;
  std::size_t size = 0;

  bool operator==(const DomainRun&) const = default;
};

/// `gpus`, the members of a group in rank order, cut where the domain changes.
std::vector<DomainRun> domain_runs(const TopologyShape& shape, std::span<const std::int64_t> gpus);

}  // namespace cubicbench::sim
