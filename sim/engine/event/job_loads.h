#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/engine/event/conditions.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/network/collective.h"
#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// A way in which the communicators of one role move bytes.
struct TrafficKind {
  Collective op = Collective::all_gather;
  Algorithm algorithm = Algorithm::ring;
  BytesPerSecond rate_max{};  ///< bytes of payload a second of the fastest such transfer

  bool is_of(const Transfer& transfer) const {
    return op == transfer.op && algorithm == transfer.algorithm;
  }
};

/// All that those of each role do in a step.
using TrafficKinds = std::array<std::vector<TrafficKind>, role_count>;
TrafficKinds traffic_kinds(const StepScript& script);

/// What one communicator puts on the links with one kind of traffic.
struct CommunicatorLoad {
  std::uint32_t first_use = 0;  ///< rows of JobLoads::uses
  std::uint32_t last_use = 0;   ///< one past
  double flow_bytes = 0.0;      ///< of its largest flow, a byte of payload
};

/// What all communicators of a job can put on the bundles of its cluster.
struct JobLoads {
  TrafficKinds kinds;
  std::vector<std::uint32_t> first_load;  ///< of each communicator, in order of its role's kinds
  std::vector<CommunicatorLoad> loads;
  std::vector<LinkUse> uses;
  IdVector<BundleId, std::int64_t> capacities;  ///< bytes per second

  std::span<const LinkUse> uses_of(const CommunicatorLoad& load) const {
    return std::span(uses).subspan(load.first_use, load.last_use - load.first_use);
  }
  std::span<const CommunicatorLoad> loads_of(const JobGraph& job,
                                             std::uint32_t communicator) const {
    const std::size_t role = slot(job.communicators[communicator].role);
    return std::span(loads).subspan(first_load[communicator], kinds[role].size());
  }
};

/// Group of every role, as its transfers were priced.
using RoleGroups = std::array<Group, role_count>;

/// Loads of the job `whole` on its cluster, ranks placed as Cluster::placement says. Bundles that
/// never delay a transfer are left out: those that can never be full, whatever runs at the same
/// time, and those that carry the same traffic as a tighter one.
JobLoads job_loads(const JobGraph& whole, const StepScript& script, const RoleGroups& groups,
                   const Cluster& cluster, const Conditions& conditions);

}  // namespace cubicbench::sim
