#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/hardware/cluster.h"

namespace cubicbench::sim {

/// A communicator as the two-level network sees it.
struct Group {
  std::int64_t ranks = 1;
  std::int64_t ranks_per_node = 1;  ///< members that share a node, 1 <= ranks_per_node <= ranks

  bool operator==(const Group&) const = default;
};

/// Nodes that `group` touches, rounded up.
std::int64_t nodes_of(const Group& group);

/// B of Eq. C-1: the bandwidth at which a ring over `group` passes bytes on.
BytesPerSecond bus_bandwidth(const Group& group, const Network& network);

/// All-gather to a buffer of `gathered` bytes; a reduce-scatter of as many costs the same.
///
///   T = overhead + (r - 1) a_in + (N - 1) a_out + (n - 1) / n * S / B       [docs/models.md, Eq.
///   C-1] B = in-node rate when N = 1, else min(in-node rate, r * NIC rate)
///
/// n ranks on N nodes, r a node. Source of the bandwidth term: [nccl-tests] "AllGather". The
/// network step count N - 1 is that of NCCL's cost model. One rank costs nothing. Left out:
/// contention and oversubscribed tiers.
Seconds all_gather(Bytes gathered, const Group& group, const Network& network);

/// All-reduce of `payload` bytes a rank: the faster of ring (a reduce-scatter and an all-gather)
/// and double binary tree (2 log2 N network steps at 0.92 of the ring's bandwidth) [Eq. C-2, C-3].
Seconds all_reduce(Bytes payload, const Group& group, const Network& network);

/// All-to-all in which the busiest rank sends or receives `payload` bytes, its own share included:
///
///   T = max(overhead, n a_peer) + max((r - 1) / n * S / B_in, (n - r) / n * S / NIC)   [Eq. C-6]
///
/// In-node and network parts overlap; a rank has one NIC, so across nodes the bus bandwidth tends
/// to N / (N - 1) times its rate. Source: the start-up a peer (0.72 us) and the form, published
/// nccl-tests and XLA sweeps on up to 72 GPUs. Left out: the chunk threshold at small sizes.
Seconds all_to_all(Bytes payload, const Group& group, const Network& network);

/// Broadcast of `payload` bytes from one rank to the others of `group`; a reduction to one rank
/// costs the same.
///
///   T = overhead + (r - 1) a_in + (N - 1) a_out + S / B                          [Eq. C-7]
///
/// A pipelined ring in which every rank passes the whole buffer on: bus bandwidth is size over
/// time. Symbols as in all_gather(). Source: [nccl-tests] "Broadcast". Left out: trees.
Seconds broadcast(Bytes payload, const Group& group, const Network& network);

/// One message between neighbours, inside a node or across [Eq. C-4].
Seconds point_to_point(Bytes payload, bool crosses_nodes, const Network& network);

}  // namespace cubicbench::sim
