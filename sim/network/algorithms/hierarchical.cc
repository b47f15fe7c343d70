#include <vector>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group& group) {
  return has_equal_domains(group) && op != Collective::send_receive;
}

Multiples moved(Collective op, const Group& group) {
  const double n = real(group.ranks);
  const double r = real(group.ranks_per_node);
  const double nodes = real(nodes_of(group));
  if (op == Collective::all_to_all) {
    const double across = n * (nodes - 1.0) / nodes;
    return {n * (r - 1.0) / r + across, 0.0, across};
  }
  const double rounds = rounds_of(op);
  return {rounds * (n - 1.0), 0.0, rounds * (nodes - 1.0)};
}

void rings_in_nodes(FlowWriter& to, Bytes bytes, int phase) {
  for (std::int64_t node = 0; node < to.nodes; ++node) {
    to.ring(FlowWriter::every(1, node * to.r, to.r), bytes, phase);
  }
}

void rings_between_nodes(FlowWriter& to, Bytes bytes, int phase) {
  for (std::int64_t index = 0; index < to.r; ++index) {
    to.ring(FlowWriter::every(to.r, index, to.nodes), bytes, phase);
  }
}

/// First to the rank of the own node on the receiver's rail, then along the rail.
void exchange_by_rails(FlowWriter& to) {
  for (std::int64_t rank = 0; rank < to.n; ++rank) {
    const std::int64_t first = rank / to.r * to.r;
    for (std::int64_t i = 0; i < to.r; ++i) to.send(rank, first + i, to.size / real(to.r), 0);
    for (std::int64_t node = 0; node < to.nodes; ++node) {
      to.send(rank, node * to.r + rank % to.r, to.size / real(to.nodes), 1);
    }
  }
}

void flows(FlowWriter& to) {
  const double r = real(to.r);
  const double nodes = real(to.nodes);
  const Bytes inside = (r - 1.0) / r * to.size;
  const Bytes across = (nodes - 1.0) / nodes * (to.size / r);
  switch (to.op) {
    case Collective::all_reduce:
      rings_in_nodes(to, inside, 0);
      rings_between_nodes(to, 2.0 * across, 1);
      return rings_in_nodes(to, inside, 2);
    case Collective::all_gather:
      rings_between_nodes(to, across, 0);
      return rings_in_nodes(to, inside, 1);
    case Collective::reduce_scatter:
      rings_in_nodes(to, inside, 0);
      return rings_between_nodes(to, across, 1);
    case Collective::broadcast:
      to.chain(FlowWriter::every(to.r, 0, to.nodes), 0);
      for (std::int64_t node = 0; node < to.nodes; ++node) {
        to.chain(FlowWriter::every(1, node * to.r, to.r), 1);
      }
      return;
    case Collective::all_to_all:
      return exchange_by_rails(to);
    case Collective::send_receive:
      break;
  }
}

/// An exchange in each domain, then one along each rail.
void load_rails(LoadWriter& to) {
  const std::size_t r = to.ranks_of_first_domain();
  to.exchange(1.0 / static_cast<double>(r));
  std::vector<std::int64_t> rail;
  for (std::size_t index = 0; index < r; ++index) {
    rail.clear();
    for (std::size_t rank = index; rank < to.gpus().size(); rank += r) {
      rail.push_back(to.gpus()[rank]);
    }
    to.pairs(rail, 1.0 / real(to.domains()));
  }
}

void load(LoadWriter& to) {
  if (to.op() == Collective::all_to_all) return load_rails(to);
  const double rounds = rounds_of(to.op());
  const bool closed = to.op() != Collective::broadcast;
  const double nodes = real(to.domains());
  to.pass_in_domains(rounds, closed, 1);
  to.chain_across(closed ? rounds * (nodes - 1.0) / nodes : 1.0, closed);
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  if (!call.is_spread()) return std::nullopt;
  const double rounds = rounds_of(call.op);
  if (call.op == Collective::all_to_all) {
    return CriticalPath{.inside = 1.0, .between = 1.0, .in_turn = true};
  }
  return CriticalPath{.inside = rounds * real(call.group.ranks_per_node - 1),
                      .between = rounds * real(nodes_of(call.group) - 1),
                      .in_turn = true};
}

}  // namespace

const CollectiveAlgorithm algorithms::hierarchical{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .path = path};

}  // namespace cubicbench::sim
