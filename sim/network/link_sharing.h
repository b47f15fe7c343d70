#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

enum class FlowSetId : std::uint32_t {};

/// What a set of flows puts on one bundle of cables, in 1/256 of the rate of its largest flow.
struct LinkUse {
  BundleId bundle{};
  std::int64_t weight = 256;
};
inline constexpr std::int64_t link_weight_one = 256;

}  // namespace cubicbench::sim
