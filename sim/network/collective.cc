#include "sim/network/collective.h"

#include <algorithm>
#include <bit>

namespace cubicbench::sim {
namespace {

constexpr double tree_bandwidth_share = 0.92;  // NCCL's cost model, tree over ring

constexpr Seconds all_to_all_peer = 0.72_us;  // start-up a peer, XLA and nccl-tests sweeps

/// Rate inside a node. Without a switch `ranks` GPUs have only the links to each other, a share of
/// (r - 1) / direct_peers.                                             [docs/models.md, Eq. C-8]
BytesPerSecond node_bandwidth(std::int64_t ranks, const Network& network) {
  const double peers = network.direct_peers;
  const double share =
      ranks < 2 || peers == 0.0 ? 1.0 : std::min(1.0, (static_cast<double>(ranks) - 1.0) / peers);
  return share * (network.intra_bandwidth * network.intra_efficiency);
}

Seconds ring_latency(const Group& group, const Network& network) {
  return static_cast<double>(group.ranks_per_node - 1) * network.intra_latency +
         static_cast<double>(nodes_of(group) - 1) * network.inter_latency;
}

Seconds tree_latency(const Group& group, const Network& network) {
  const auto depth = std::bit_width(static_cast<std::uint64_t>(nodes_of(group) - 1));
  return 2.0 * (static_cast<double>(group.ranks_per_node - 1) * network.intra_latency +
                static_cast<double>(depth) * network.inter_latency);
}

/// (n - 1) / n * S / B.
Seconds ring_transfer(Bytes payload, const Group& group, const Network& network) {
  const auto n = static_cast<double>(group.ranks);
  return ((n - 1.0) / n) * (payload / bus_bandwidth(group, network));
}

}  // namespace

std::int64_t nodes_of(const Group& group) {
  return (group.ranks + group.ranks_per_node - 1) / group.ranks_per_node;
}

BytesPerSecond bus_bandwidth(const Group& group, const Network& network) {
  const BytesPerSecond inside = node_bandwidth(group.ranks_per_node, network);
  if (nodes_of(group) == 1) {
    return inside;
  }
  const BytesPerSecond nic = network.inter_bandwidth * network.inter_efficiency;
  return min(inside, static_cast<double>(group.ranks_per_node) * nic);
}

Seconds all_gather(Bytes gathered, const Group& group, const Network& network) {
  if (group.ranks == 1) {
    return {};
  }
  return network.collective_overhead + ring_latency(group, network) +
         ring_transfer(gathered, group, network);
}

Seconds all_reduce(Bytes payload, const Group& group, const Network& network) {
  if (group.ranks == 1) {
    return {};
  }
  const Seconds transfer = 2.0 * ring_transfer(payload, group, network);
  const Seconds ring = 2.0 * ring_latency(group, network) + transfer;
  const Seconds tree = tree_latency(group, network) + transfer / tree_bandwidth_share;
  return network.collective_overhead + min(ring, tree);
}

Seconds all_to_all(Bytes payload, const Group& group, const Network& network) {
  if (group.ranks == 1) {
    return {};
  }
  const auto n = static_cast<double>(group.ranks);
  const auto r = static_cast<double>(group.ranks_per_node);
  const Seconds inside =
      ((r - 1.0) / n) * (payload / node_bandwidth(group.ranks_per_node, network));
  const Seconds across =
      ((n - r) / n) * (payload / (network.inter_bandwidth * network.all_to_all_efficiency));
  return max(network.collective_overhead, n * all_to_all_peer) + max(inside, across);
}

Seconds broadcast(Bytes payload, const Group& group, const Network& network) {
  if (group.ranks == 1) {
    return {};
  }
  return network.collective_overhead + ring_latency(group, network) +
         payload / bus_bandwidth(group, network);
}

Seconds point_to_point(Bytes payload, bool crosses_nodes, const Network& network) {
  return crosses_nodes ? network.inter_latency +
                             payload / (network.inter_bandwidth * network.inter_efficiency)
                       : network.intra_latency + payload / node_bandwidth(2, network);
}

}  // namespace cubicbench::sim
