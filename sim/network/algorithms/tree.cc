#include <algorithm>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group&) { return op == Collective::all_reduce; }

Multiples moved(Collective, const Group& group) {
  return {2.0 * (real(group.ranks) - 1.0), 0.0, 2.0 * (real(nodes_of(group)) - 1.0)};
}

/// The rank by which tree `which` leaves `node`.
std::int64_t door(const FlowWriter& to, std::int64_t node, int which) {
  return std::min(node * to.r + which % to.r, to.end_of(node) - 1);
}

/// An edge of a tree, half of the data: up to reduce, down to tell.
void edge(FlowWriter& to, std::int64_t child, std::int64_t parent) {
  to.send(child, parent, to.size / 2.0, 0);
  to.send(parent, child, to.size / 2.0, 1);
}

/// A chain in each node below trees between nodes; each tree has half of the data and a rank of its
/// own to leave the node by.
void flows(FlowWriter& to) {
  for (int which = 0; which < 2; ++which) {
    const auto parent = which == 0 ? first_tree_parent : second_tree_parent;
    for (std::int64_t node = 0; node < to.nodes; ++node) {
      const std::int64_t above = parent(node, to.nodes);
      const std::int64_t exit = door(to, node, which);
      if (above != no_parent) edge(to, exit, door(to, above, which));
      for (std::int64_t rank = node * to.r; rank < to.end_of(node); ++rank) {
        if (rank != exit) edge(to, rank, rank < exit ? rank + 1 : rank - 1);
      }
    }
  }
}

void load(LoadWriter& to) {
  to.pass_in_domains(2.0, true, 2);
  to.trees_across();
}

/// Trees reduce in the switch where there is one that can, unless chains are asked for.
bool climbs_chains(const CollectiveCall& call, const Cheapest& cheapest) {
  return call.network.inter.trees && !(cheapest.wants(Algorithm::nvls_tree) &&
                                       reduces_in_switch(call.group.ranks_per_node, call.network));
}

/// Short all-reduces climb a tree whatever the library does with long ones. A domain of many GPUs
/// takes as long as it takes alone.
void offer_short(const CollectiveCall& call, Cheapest& cheapest) {
  constexpr Seconds low_step{5e-6};  // of LL between nodes, as NCCL has it
  const FabricFamily& family = call.network.inter.reduce;
  if (family.low_share <= 0.0) return;
  const Seconds base =
      max(family.low_base, domain_reduce_start(call.size, call.group.ranks_per_node, call.network));
  const Seconds climb =
      (2.0 * (call.depth - 1.0)) * low_step + (2.0 * call.depth) * call.group.tree_hop;
  offer_low(call, family, Algorithm::tree, base + climb, cheapest);
}

/// [docs/models.md, Eq. C-9]
void offer(const CollectiveCall& call, Cheapest& cheapest) {
  offer_short(call, cheapest);
  if (!climbs_chains(call, cheapest)) return;
  Candidate candidate{.algorithm = Algorithm::tree};
  candidate.outside = call.outside;
  candidate.start = start_between(call, trees_start(call));
  candidate.adapters = trees_transfer(call);
  const std::int64_t members = call.group.ranks_per_node;
  if (members > 1) {
    constexpr double chain = 0.92;  // NCCL's cost model: tree over ring
    candidate.domain =
        (2.0 / chain) * (call.size / ring_rate(members, call.group.stride, call.network));
  }
  cheapest.offer(candidate);
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  if (call.is_spread()) return std::nullopt;
  return CriticalPath{.inside = 2.0 * doublings(call.group.ranks_per_node)};
}

}  // namespace

const CollectiveAlgorithm algorithms::tree{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .offer = offer, .path = path};

}  // namespace cubicbench::sim
