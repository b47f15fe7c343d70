#include "sim/engine/event/periodic_folding.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "sim/engine/event/rank_temper.h"
#include "sim/network/collective_load.h"
#include "sim/network/topology_shape.h"

namespace cubicbench::sim {
namespace {

/// Periods that are listed, and of these the ones in an upper block of the network.
constexpr std::int64_t listed_periods = 4;
constexpr std::int64_t upper_block_periods = 2;
/// Jobs of fewer periods are listed whole in about the same time.
constexpr std::int64_t periods_min = 2 * listed_periods;

struct Period {
  std::int64_t members = 1;  ///< of each stage
  std::int64_t gpus = 1;     ///< from a rank to its image
};

bool goes_round(const JobShape& job, const Family& family) {
  return family.stretch() == job.stage_ranks();
}

bool goes_round(const JobShape& job, Role role) {
  const auto family = std::ranges::find(job.families, role, &Family::role);
  return family != job.families.end() && goes_round(job, *family);
}

/// After which all communicators are again where they were.
Period shortest_period(const JobShape& job) {
  std::int64_t members = job.plan.tensor_parallel * job.plan.context_parallel;
  for (const Family& family : job.families) {
    members = std::lcm(members, goes_round(job, family) ? family.apart : family.stretch());
  }
  return {.members = members, .gpus = job.stages_outermost ? members : members * job.stages()};
}

/// As many of `period` as fill blocks of `gpus`.
Period filling(const Period& period, std::int64_t gpus) {
  const std::int64_t times = std::lcm(period.gpus, gpus) / period.gpus;
  return {.members = times * period.members, .gpus = times * period.gpus};
}

/// 0: the job is no whole number of them.
std::int64_t periods_of(const JobShape& job, const Period& period) {
  return job.stage_ranks() % period.members == 0 ? job.stage_ranks() / period.members : 0;
}

/// Whether what goes round all periods loads them alike.
bool closes_rings(const JobShape& job, const TrafficKinds& kinds) {
  return std::ranges::all_of(job.families, [&](const Family& family) {
    return !goes_round(job, family) ||
           std::ranges::all_of(kinds[slot(family.role)], [](const TrafficKind& kind) {
             return closes_ring(kind.op, kind.algorithm);
           });
  });
}

/// The periods that are listed.
JobShape part_of(const JobShape& job, const Period& period) {
  JobShape part = job;
  part.ranks = listed_periods * period.members * job.stages();
  for (Family& family : part.families) {
    if (goes_round(job, family)) family.size = part.stage_ranks() / family.apart;
  }
  return part;
}

/// Whether nothing but rings leaves a block of the tiers from `lower` on.
bool only_rings_leave(const JobShape& job, const Period& period, const Network& network,
                      std::size_t lower, std::size_t used) {
  const bool messages = job.stages_outermost && job.stages() > 1;
  // Rails are joined above their leaves: inside a block too traffic takes its way over these.
  const bool rails = network.fabric == FabricKind::rail && lower == 0;
  return lower == used ||
         (!messages && !rails &&
          std::all_of(network.tiers.begin() + static_cast<std::ptrdiff_t>(lower),
                      network.tiers.begin() + static_cast<std::ptrdiff_t>(used),
                      [&](const Tier& tier) { return tier.gpus % period.gpus == 0; }));
}

/// Their cluster: `lower` of its `used` tiers as they are; of those above the tightest, in blocks
/// of a few periods that carry as much as the whole blocks do.
Cluster cluster_of(const JobShape& part, const Period& period, const Cluster& cluster,
                   std::size_t lower, std::size_t used) {
  Cluster result = cluster;
  result.gpus = static_cast<int>(part.ranks);
  auto& tiers = result.network.tiers;
  std::fill(tiers.begin() + static_cast<std::ptrdiff_t>(lower), tiers.end(), Tier{});
  const double gpus = static_cast<double>(upper_block_periods * period.gpus);
  for (std::size_t i = lower; i < used; ++i) {
    Tier tier = cluster.network.tiers[i];
    tier.oversubscription *= gpus / static_cast<double>(tier.gpus);
    tier.gpus = upper_block_periods * period.gpus;
    if (tiers[lower].gpus == 0 || tier.oversubscription > tiers[lower].oversubscription) {
      tiers[lower] = tier;
    }
  }
  return result;
}

/// Whether the bundles of upper blocks, which come last, can be full.
bool fills_upper_blocks(const JobLoads& loads) {
  constexpr std::size_t bundles = 2 * listed_periods / upper_block_periods;
  return std::ranges::any_of(loads.uses, [&](const LinkUse& use) {
    return index_of(use.bundle) + bundles >= loads.capacities.size();
  });
}

/// Whether every rank is played by who plays its image.
bool repeats(const FoldedJob& folded, const JobShape& part, const Period& period) {
  const RankOrder order = part.order();
  for (std::int64_t rank = 0; rank < part.ranks; ++rank) {
    StagePlace place = order.place(rank);
    place.member = (place.member + period.members) % part.stage_ranks();
    const auto image = static_cast<std::size_t>(order.rank(place));
    if (folded.player_of[static_cast<std::size_t>(rank)] != folded.player_of[image]) return false;
  }
  return true;
}

/// Says of what stands for some of the listed periods for whom of the whole job it does.
void stretch(FoldedJob& folded, const JobShape& part, const JobShape& job, const Period& period) {
  const auto in_all = [&](std::uint32_t listed) {
    return static_cast<std::uint32_t>(listed / listed_periods * periods_of(job, period));
  };
  for (JobRank& rank : folded.graph.ranks) {
    rank.stands_for = in_all(rank.stands_for);
    rank.rank = static_cast<std::uint32_t>(job.order().rank(part.order().place(rank.rank)));
  }
  for (Communicator& one : folded.graph.communicators) {
    if (!goes_round(job, one.role)) one.stands_for = in_all(one.stands_for);
  }
  folded.player_of.clear();
}

/// `loads` are those of `graph`, the ranks of `part`.
std::optional<FoldedJob> folded_part(const JobGraph& graph, const JobLoads& loads,
                                     const JobShape& part, const JobShape& job,
                                     const Period& period) {
  FoldedJob folded = fold(graph, loads, colours_of(graph, {}));
  if (!repeats(folded, part, period)) return std::nullopt;
  stretch(folded, part, job, period);
  return folded;
}

}  // namespace

std::optional<FoldedJob> fold_periods(const JobShape& job, const StepScript& script,
                                      const RoleGroups& groups, const Cluster& cluster,
                                      bool contention) {
  Period period = shortest_period(job);
  if (!contention) {
    if (periods_of(job, period) < periods_min) return std::nullopt;
    const JobShape part = part_of(job, period);
    return folded_part(job_graph(part), {}, part, job, period);
  }
  const Network& network = cluster.network;
  if (cluster.placement != Placement::packed || network.fabric == FabricKind::dragonfly ||
      !closes_rings(job, traffic_kinds(script))) {
    return std::nullopt;
  }
  const auto used = static_cast<std::size_t>(
      tiers_used(topology_shape(network, cluster.gpus, cluster.gpus_per_node)));
  period = filling(period, cluster.gpus_per_node);
  for (std::size_t lower = 0; lower <= used; ++lower) {
    if (lower > 0) period = filling(period, network.tiers[lower - 1].gpus);
    if (periods_of(job, period) < periods_min) return std::nullopt;
    if (!only_rings_leave(job, period, network, lower, used)) continue;
    const JobShape part = part_of(job, period);
    const JobGraph graph = job_graph(part);
    const JobLoads loads =
        job_loads(graph, script, groups, cluster_of(part, period, cluster, lower, used), {});
    if (lower < used && fills_upper_blocks(loads)) continue;
    if (auto folded = folded_part(graph, loads, part, job, period)) return folded;
  }
  return std::nullopt;
}

}  // namespace cubicbench::sim
