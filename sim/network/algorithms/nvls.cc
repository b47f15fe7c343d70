#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group& group) {
  return nodes_of(group) == 1 && (op == Collective::all_reduce || is_half(op));
}

/// A switch that reduces gets the buffer of every rank and sends each an n-th of the sum; one that
/// copies gets those parts and sends every rank all of them.
Multiples moved(Collective op, const Group& group) {
  const double n = real(group.ranks);
  if (op == Collective::all_gather) return {1.0, n, 0.0};
  if (op == Collective::reduce_scatter) return {n, 1.0, 0.0};
  return {n + 1.0, n + 1.0, 0.0};
}

void flows(FlowWriter& to) {
  const Bytes part = to.size / real(to.n);
  for (std::int64_t rank = 0; rank < to.n; ++rank) {
    if (to.op != Collective::all_gather) to.through_switch(rank, to.size, part, 0);
    if (to.op != Collective::reduce_scatter) to.through_switch(rank, part, to.size, 1);
  }
}

void load(LoadWriter& to) {
  const double part = 1.0 / real(to.n());
  const double up = to.op() == Collective::all_gather ? part : 1.0;
  const double down = to.op() == Collective::reduce_scatter ? part : 1.0;
  const double both = to.op() == Collective::all_reduce ? part : 0.0;
  to.through_switch(up + both, down + both);
  to.trees_across();  // nothing, unless the group has more domains than its cost says
}

/// [docs/models.md, Eq. C-3]
void offer(const CollectiveCall& call, Cheapest& cheapest) {
  const std::int64_t ranks = call.group.ranks;
  if (!reduces_in_switch(ranks, call.network)) return;
  Candidate candidate{.algorithm = Algorithm::nvls};
  candidate.start = start_inside(
      call, call.network.intra.nvls_base + switch_fill(call.size, ranks, call.network));
  candidate.domain = call.size / switch_rate(call.network);
  cheapest.offer(candidate);
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  if (!reduces_in_switch(call.group.ranks, call.network)) return std::nullopt;
  return CriticalPath{.inside = rounds_of(call.op), .in_switch = true};
}

}  // namespace

const CollectiveAlgorithm algorithms::nvls{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .offer = offer, .path = path};

}  // namespace cubicbench::sim
