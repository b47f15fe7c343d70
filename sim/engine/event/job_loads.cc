#include "sim/engine/event/job_loads.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "sim/base/check.h"
#include "sim/engine/event/signature.h"
#include "sim/network/collective_load.h"
#include "sim/network/placement.h"
#include "sim/network/router.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

/// Notes that communicators of `role` run `transfer`.
void note(Role role, const Transfer& transfer, TrafficKinds& all) {
  if (transfer.busy <= SimTime{} || transfer.bytes.value <= 0.0) return;
  const BytesPerSecond rate = transfer.bytes / to_seconds(transfer.busy);
  std::vector<TrafficKind>& kinds = all[slot(role)];
  const auto known =
      std::ranges::find_if(kinds, [&](const TrafficKind& kind) { return kind.is_of(transfer); });
  if (known == kinds.end()) {
    kinds.push_back({transfer.op, transfer.algorithm, rate});
  } else {
    known->rate_max = max(known->rate_max, rate);
  }
}

void note_legs(const std::vector<ExpertLeg>& legs, TrafficKinds& all) {
  for (const ExpertLeg& leg : legs) {
    for (const RoleTransfer& one : leg.transfers) note(one.role, one.transfer, all);
  }
}

/// All cables between the two places of a link; their bundles may have others as well.
void degrade(const Topology& topology, const Conditions& conditions,
             IdVector<BundleId, std::int64_t>& capacities) {
  const IdVector<BundleId, std::int64_t> whole = capacities;
  for (const DegradedLink& link : conditions.degraded_links) {
    const auto cables = links_between(topology, link.from, link.to, link.to);
    SIM_ASSERT(!cables.empty(), static_cast<std::uint32_t>(link.from));
    for (const LinkId cable : cables) {
      const BundleId bundle = topology.links[cable].bundle;
      const double part = topology.links[cable].rate / topology.bundles[bundle];
      const double lost = (1.0 - link.share) * part * static_cast<double>(whole[bundle]);
      capacities[bundle] = std::max<std::int64_t>(1, capacities[bundle] - std::llround(lost));
    }
  }
}

void fix_routes(const Topology& topology, const Conditions& conditions, Router& router) {
  for (const FixedRoute& route : conditions.routes) {
    std::vector<LinkId> links;
    for (std::size_t i = 1; i < route.over.size(); ++i) {
      const auto cables = links_between(topology, route.over[i - 1], route.over[i], route.over[i]);
      SIM_ASSERT(!cables.empty(), i);
      links.push_back(cables.front());
    }
    router.fix(route.from, route.to, std::move(links));
  }
}

/// Counts what every communicator puts on the links.
class Counting {
 public:
  Counting(const JobGraph& job, const RoleGroups& groups, const Cluster& cluster,
           const Topology& topology, const Router& router, JobLoads& loads)
      : job_(job),
        gpus_(place(cluster.placement, cluster.gpus, topology.shape, 0)),
        counter_(router, loads.capacities),
        loads_(loads) {
    for (std::size_t role = 0; role < role_count; ++role) {
      for (const TrafficKind& kind : loads.kinds[role]) {
        const auto most = payload_rate_max(kind.op, kind.algorithm, groups[role], cluster.network);
        rates_[role].push_back(most.value_or(kind.rate_max));
      }
    }
  }

  void count() {
    for (const Communicator& communicator : job_.communicators) {
      loads_.first_load.push_back(static_cast<std::uint32_t>(loads_.loads.size()));
      const std::size_t role = slot(communicator.role);
      for (std::size_t i = 0; i < loads_.kinds[role].size(); ++i) {
        const CollectiveLoad load = load_of(communicator, loads_.kinds[role][i], rates_[role][i]);
        loads_.loads.push_back({.first_use = static_cast<std::uint32_t>(loads_.uses.size()),
                                .flow_bytes = load.flow_bytes});
        loads_.uses.insert(loads_.uses.end(), load.uses.begin(), load.uses.end());
        loads_.loads.back().last_use = static_cast<std::uint32_t>(loads_.uses.size());
      }
    }
  }

 private:
  CollectiveLoad load_of(const Communicator& communicator, const TrafficKind& kind,
                         BytesPerSecond rate_max) {
    members_.clear();
    for (const std::uint32_t rank : job_.members_of(communicator)) members_.push_back(gpus_[rank]);
    if (is_edge(communicator.role)) {
      return counter_.count_message(members_.front(), members_.back(), rate_max);
    }
    // A library orders its rings by node, whatever the order of ranks.
    std::ranges::sort(members_);
    return counter_.count({.op = kind.op,
                           .algorithm = kind.algorithm,
                           .gpus = members_,
                           .rate_max = rate_max,
                           .ranks = communicator.ranks});
  }

  const JobGraph& job_;
  std::vector<std::int64_t> gpus_;
  LoadCounter counter_;
  JobLoads& loads_;
  std::array<std::vector<BytesPerSecond>, role_count> rates_;
  std::vector<std::int64_t> members_;
};

/// What each bundle carries at most: of each communicator, which runs one transfer at a time, the
/// kind that asks most of it.
IdVector<BundleId, double> demands_max(const JobGraph& job, const JobLoads& loads) {
  IdVector<BundleId, double> demands(loads.capacities.size(), 0.0);
  IdVector<BundleId, double> own(loads.capacities.size(), 0.0);
  for (std::uint32_t i = 0; i < job.communicators.size(); ++i) {
    const auto& kinds = loads.kinds[slot(job.communicators[i].role)];
    const auto rows = loads.loads_of(job, i);
    for (std::size_t kind = 0; kind < rows.size(); ++kind) {
      const double cap = rows[kind].flow_bytes * kinds[kind].rate_max.value;
      for (const LinkUse& use : loads.uses_of(rows[kind])) {
        const double asked =
            cap * static_cast<double>(use.weight) / static_cast<double>(link_weight_one);
        own[use.bundle] = std::max(own[use.bundle], asked);
      }
    }
    for (const CommunicatorLoad& row : rows) {
      for (const LinkUse& use : loads.uses_of(row)) {
        demands[use.bundle] += own[use.bundle];
        own[use.bundle] = 0.0;
      }
    }
  }
  return demands;
}

using BundleFlags = IdVector<BundleId, std::uint8_t>;

BundleFlags can_be_full(const JobGraph& job, const JobLoads& loads) {
  constexpr double rounding = 1e-6;
  const IdVector<BundleId, double> demands = demands_max(job, loads);
  BundleFlags full(loads.capacities.size());
  for (std::size_t row = 0; row < full.size(); ++row) {
    const auto bundle = id_at<BundleId>(row);
    const auto capacity = static_cast<double>(loads.capacities[bundle]);
    full[bundle] = demands[bundle] > (1.0 + rounding) * capacity ? 1 : 0;
  }
  return full;
}

/// Takes away bundles that carry just what a tighter one does, such as the cable of an adapter
/// behind that of its GPU: when they are full, so is the other.
void keep_tightest(const JobLoads& loads, BundleFlags& flags) {
  IdVector<BundleId, Signature> carried(loads.capacities.size());
  for (std::size_t row = 0; row < loads.loads.size(); ++row) {
    for (const LinkUse& use : loads.uses_of(loads.loads[row])) {
      if (flags[use.bundle] == 0) continue;
      carried[use.bundle].follow(row);
      carried[use.bundle].follow(static_cast<std::uint64_t>(use.weight));
    }
  }
  std::vector<BundleId> bundles;
  for (std::size_t row = 0; row < flags.size(); ++row) {
    if (flags[id_at<BundleId>(row)] != 0) bundles.push_back(id_at<BundleId>(row));
  }
  const auto key = [&](BundleId bundle) {
    return std::tuple(carried[bundle], loads.capacities[bundle], bundle);
  };
  std::ranges::sort(bundles, {}, key);
  for (std::size_t i = 1; i < bundles.size(); ++i) {
    if (carried[bundles[i]] == carried[bundles[i - 1]]) flags[bundles[i]] = 0;
  }
}

/// Drops uses of bundles that never delay a transfer.
void prune(const JobGraph& job, JobLoads& loads) {
  BundleFlags counts = can_be_full(job, loads);
  keep_tightest(loads, counts);
  std::vector<LinkUse> kept;
  for (CommunicatorLoad& load : loads.loads) {
    const auto first = static_cast<std::uint32_t>(kept.size());
    for (const LinkUse& use : loads.uses_of(load)) {
      if (counts[use.bundle] != 0) kept.push_back(use);
    }
    load.first_use = first;
    load.last_use = static_cast<std::uint32_t>(kept.size());
  }
  loads.uses = std::move(kept);
}

}  // namespace

TrafficKinds traffic_kinds(const StepScript& script) {
  TrafficKinds all;
  for (const BlockTimes& block : script.blocks) {
    note(Role::tensor, block.hidden, all);
    note(Role::tensor, block.bare, all);
    note(Role::context_heads, block.heads, all);
    note(Role::context, block.context, all);
    note_legs(block.experts.beside, all);
    note_legs(block.experts.legs, all);
  }
  for (std::size_t edge = 0; edge < edge_count; ++edge) {
    note(edge_role(edge), script.messages[edge % 2], all);
  }
  for (const StageScript& stage : script.stages) {
    for (const auto& stream : stage.streams) {
      for (const StreamOperation& operation : stream) {
        note(operation.role, script.transfers[operation.transfer], all);
      }
    }
  }
  return all;
}

JobLoads job_loads(const JobGraph& whole, const StepScript& script, const RoleGroups& groups,
                   const Cluster& cluster, const Conditions& conditions) {
  const TopologyShape shape = topology_shape(
      cluster.network, cluster_gpus(cluster.placement, cluster.gpus), cluster.gpus_per_node);
  const bool names_links = !conditions.degraded_links.empty() || !conditions.routes.empty();
  const Topology topology = names_links ? build_topology(shape) : build_bundles(shape);
  Router router(topology);
  fix_routes(topology, conditions, router);
  JobLoads loads;
  loads.capacities = link_capacities(topology, cluster.network);
  loads.kinds = traffic_kinds(script);
  Counting(whole, groups, cluster, topology, router, loads).count();
  // Only now: what a collective asks of its links is that of links in order.
  degrade(topology, conditions, loads.capacities);
  prune(whole, loads);
  return loads;
}

}  // namespace cubicbench::sim
