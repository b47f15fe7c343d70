#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/collective/asked_cluster.h"
#include "scenarios/collective/collective_question.h"
#include "sim/network/collective_load.h"
#include "sim/network/link_sharing.h"
#include "sim/network/router.h"
#include "sim/network/topology.h"

namespace cubicbench::scenarios {

/// Equal groups on the links of their cluster: what the event engine says of one collective that
/// all of them run at once. Their bytes start to flow when the start of the collective is over, at
/// the rate of its analytical cost while the links have that for all of them, else as they are
/// shared max-min fairly; a group that is done leaves its links to the others. The collective takes
/// as long as the last group. Without contention, and alone, that is the analytical time.
///
/// Groups lie side by side as group_of() counts them: as many as fit on the same domains, the next
/// ones on the next domains, which are placed as asked; other jobs that hold part of the cluster
/// are counted by the analytical share and not played.
class CollectivePlay {
 public:
  /// Throws InputError, with `where`, if the cluster cannot be laid out or is too large for it.
  CollectivePlay(const AskedGroups& groups, const AskedCluster& cluster, const std::string& where);
  CollectivePlay(const CollectivePlay&) = delete;
  CollectivePlay& operator=(const CollectivePlay&) = delete;

  /// `alone`: what answer() says of these groups.
  CollectiveAnswer play(const CollectiveAnswer& alone, bool contention);

  const sim::Topology& topology() const { return topology_; }
  /// The GPUs of group `number`, in rank order.
  std::vector<std::int64_t> members(std::int64_t number) const;

 private:
  /// What the groups put on the links with one algorithm.
  struct Loaded {
    std::vector<sim::CollectiveLoad> loads;
    std::optional<sim::LinkSharing> sharing;  ///< once links are asked for more than they have
    std::vector<sim::FlowSetId> sets;         ///< of `sharing`
  };

  Loaded& loaded(sim::Collective op, sim::Algorithm algorithm);
  bool has_room(const Loaded& groups, const std::vector<std::int64_t>& caps) const;
  double time_of_one(const sim::CollectiveLoad& load, std::int64_t cap, double alone) const;
  double shared_time(Loaded& groups, const std::vector<std::int64_t>& caps, double alone) const;

  AskedGroups asked_;
  sim::Group group_;
  sim::Network network_;
  std::int64_t domain_gpus_;
  std::int64_t per_domain_;
  std::int64_t beside_;  ///< groups on the same domains
  sim::Topology topology_;
  std::vector<std::int64_t> gpus_;  ///< of the domains of the groups, in order
  sim::Router router_;
  sim::LoadCounter counter_;
  std::map<std::pair<sim::Collective, sim::Algorithm>, Loaded> loaded_;
};

}  // namespace cubicbench::scenarios
