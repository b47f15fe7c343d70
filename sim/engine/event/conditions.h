#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

/// A rank whose kernels and launches take `factor` times as long as those of the others.
struct SlowRank {
  std::int64_t rank = 0;
  double factor = 1.0;  ///< > 0

  bool operator==(const SlowRank&) const = default;
};

/// A cable that has only a share of its rate left, one direction.
struct DegradedLink {
  VertexId from{};
  VertexId to{};
  double share = 1.0;  ///< 0 < share <= 1

  bool operator==(const DegradedLink&) const = default;
};

/// A rank that stops for good: it begins no kernel and joins no collective from then on.
struct FailedRank {
  std::int64_t rank = 0;
  Seconds at{};  ///< since the step began

  bool operator==(const FailedRank&) const = default;
};

/// The way that all traffic from one GPU to another takes, in place of the shortest one.
struct FixedRoute {
  std::int64_t from = 0;       ///< GPU
  std::int64_t to = 0;         ///< GPU
  std::vector<VertexId> over;  ///< all places in order, both GPUs included; none twice

  bool operator==(const FixedRoute&) const = default;
};

/// What is wrong with a cluster while a step is played: input of the event engine. None of it means
/// a cluster in order.
struct Conditions {
  std::vector<SlowRank> slow_ranks;
  std::vector<DegradedLink> degraded_links;
  std::vector<FailedRank> failed_ranks;
  std::vector<FixedRoute> routes;

  bool operator==(const Conditions&) const = default;
};

}  // namespace cubicbench::sim
