#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group& group) {
  return op == Collective::all_reduce && has_equal_domains(group);
}

Multiples moved(Collective, const Group& group) {
  const double nodes = real(nodes_of(group));
  return {nodes * (2.0 * real(group.ranks_per_node) - 1.0), nodes, 2.0 * nodes};
}

/// Scattered in each domain, up to the fabric and down again, gathered in each domain.
void flows(FlowWriter& to) {
  const Bytes part = to.size / real(to.r);
  for (std::int64_t rank = 0; rank < to.n; ++rank) {
    const std::int64_t first = rank / to.r * to.r;
    for (std::int64_t peer = first; peer < first + to.r; ++peer) {
      to.send(rank, peer, part, 0);
      to.send(rank, peer, part, 2);
    }
    to.send(rank, in_fabric_switch, part, 1);
    to.send(in_fabric_switch, rank, part, 1);
  }
}

void load(LoadWriter& to) { to.reduce_in_fabric(); }

std::optional<CriticalPath> path(const CollectiveCall& call) {
  return CriticalPath{
      .inside = 2.0 * real(call.group.ranks_per_node - 1), .between = 2.0, .from_ranks = 0.5};
}

}  // namespace

const CollectiveAlgorithm algorithms::in_network{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .path = path};

}  // namespace cubicbench::sim
