#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/step_script.h"
#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// What the transfers of a job put on the links of its cluster, and how they share them.
class LinkTraffic {
 public:
  struct Change {
    std::uint32_t communicator = 0;
    double speed = 1.0;  ///< of what it has alone, 0 < speed <= 1
  };

  /// Whether any link of `communicator` can ever be full.
  bool carries(std::uint32_t communicator) const;
  void start(std::uint32_t communicator, const Transfer& transfer);
  void stop(std::uint32_t communicator, const Transfer& transfer);
  /// After a batch of starts and stops: whose speed changed.
  std::span<const Change> settle();
};

}  // namespace cubicbench::sim
