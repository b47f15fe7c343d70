#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/job_loads.h"
#include "sim/engine/event/step_script.h"
#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// How the transfers of a job share the links of its cluster.
class LinkTraffic {
 public:
  struct Change {
    std::uint32_t communicator = 0;
    double speed = 1.0;  ///< of what it has alone, 0 < speed <= 1
  };

  /// `loads` are those of `graph`, whose communicators stand for as many as it says.
  LinkTraffic(const JobGraph& graph, const JobLoads& loads);

  /// Whether any link of `communicator` can be full while it runs `transfer`.
  bool carries(std::uint32_t communicator, const Transfer& transfer) const;
  void start(std::uint32_t communicator, const Transfer& transfer);
  void stop(std::uint32_t communicator, const Transfer& transfer);
  /// After a batch of starts and stops: whose speed changed. Valid until the next call.
  std::span<const Change> settle();

 private:
  struct Row {
    FlowSetId set{};
    bool has_links = false;
  };

  std::size_t row_of(std::uint32_t communicator, const Transfer& transfer) const;

  const JobGraph& graph_;
  const JobLoads& loads_;
  LinkSharing sharing_;
  std::vector<Row> rows_;  ///< of loads_.loads
  IdVector<FlowSetId, std::uint32_t> communicator_of_;
  IdVector<FlowSetId, std::int64_t> caps_;
  std::vector<Change> changes_;
};

}  // namespace cubicbench::sim
