#pragma once

#include <cstdint>
#include <string>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// A recommendation model, and a plan that `check` accepts for it on its cluster.
struct AdsJob {
  Recommendation model;
  Plan plan;
  Cluster cluster;
  Stack stack;
};

/// As the dice of `seed` fall: tables of one to eight shapes, pooled or not, archs of all kinds,
/// every setting that recommendation models read, 1 to 64 GPUs, not only powers of two. Everything
/// fits into the devices.
AdsJob random_ads(std::uint64_t seed);

/// For SCOPED_TRACE.
std::string description(std::uint64_t seed, const AdsJob& job);

}  // namespace cubicbench::sim
