#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group& group) {
  return op == Collective::all_reduce && has_equal_domains(group);
}

Multiples moved(Collective, const Group& group) {
  const double nodes = real(nodes_of(group));
  const double switches = nodes * (real(group.ranks_per_node) + 1.0);
  const double across = 2.0 * (nodes - 1.0);
  return {switches + across, switches, across};
}

/// Every member of a domain has a part of the data, and a tree over those that have the same.
void flows(FlowWriter& to) {
  const Bytes part = to.size / real(to.r);
  for (std::int64_t rank = 0; rank < to.n; ++rank) {
    to.through_switch(rank, to.size, part, 0);
    const std::int64_t index = rank % to.r;
    const auto parent = index % 2 == 0 ? first_tree_parent : second_tree_parent;
    const std::int64_t above = parent(rank / to.r, to.nodes);
    if (above != no_parent) {
      to.send(rank, above * to.r + index, part, 1);
      to.send(above * to.r + index, rank, part, 2);
    }
    to.through_switch(rank, part, to.size, 3);
  }
}

void load(LoadWriter& to) {
  to.reduce_in_switches();
  to.trees_across();
}

/// [docs/models.md, Eq. C-9]
void offer(const CollectiveCall& call, Cheapest& cheapest) {
  const std::int64_t members = call.group.ranks_per_node;
  if (!call.network.inter.trees || !reduces_in_switch(members, call.network)) return;
  constexpr double between = 0.95;  // of the switch's own rate, with a tree around it
  Candidate candidate{.algorithm = Algorithm::nvls_tree};
  candidate.outside = call.outside;
  candidate.start =
      start_between(call, trees_start(call) + switch_fill(call.size, members, call.network));
  candidate.adapters = trees_transfer(call);
  candidate.domain = call.size / (between * switch_rate(call.network));
  cheapest.offer(candidate);
}

}  // namespace

const CollectiveAlgorithm algorithms::nvls_tree{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .offer = offer};

}  // namespace cubicbench::sim
