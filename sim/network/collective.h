#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/hardware/network.h"
#include "sim/hardware/stack.h"
#include "sim/network/algorithm.h"

namespace cubicbench::sim {

/// A communicator as its network sees it.
struct Group {
  std::int64_t ranks = 1;
  /// Members that share a fast domain, 1 <= ranks_per_node <= ranks.
  std::int64_t ranks_per_node = 1;
  // What placement adds: what oversubscribed tiers leave of an adapter's rate, when all groups of
  // the job that are alike run at once.
  double ring_share = 1.0;        ///< of rings and trees
  double all_to_all_share = 1.0;  ///< of all-to-alls
  Seconds ring_hop{};             ///< what tiers add to a network step of a ring
  Seconds tree_hop{};             ///< and to one of a tree
  std::int64_t stride = 1;        ///< ranks between neighbours: where in a torus they lie

  bool operator==(const Group&) const = default;
};

/// Fast domains (nodes, unless a domain has several) that `group` touches, rounded up.
inline std::int64_t nodes_of(const Group& group) {
  return (group.ranks + group.ranks_per_node - 1) / group.ranks_per_node;
}

inline bool has_equal_domains(const Group& group) {
  return group.ranks % group.ranks_per_node == 0;
}

enum class Protocol : std::uint8_t { ll, ll128, simple };
constexpr std::size_t protocol_count = 3;

/// What most of the time goes to.
enum class Bottleneck : std::uint8_t {
  latency,      ///< start-up, steps and the pipeline's fill
  domain,       ///< links of the fast domain
  adapters,     ///< of a node
  upper_tiers,  ///< oversubscribed links above the nodes
};
constexpr std::size_t bottleneck_count = 4;

struct CollectiveCost {
  Seconds time;
  Seconds start{};  ///< of it what passes before bytes do: start-up, steps and fill
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  Bottleneck bottleneck = Bottleneck::latency;
};

/// Cost of one collective in the size convention of [nccl-tests]: the gathered buffer of an
/// all-gather, the input of a reduce-scatter, else the buffer of a rank.
///
/// The library takes the cheapest of the (algorithm, protocol) pairs that it has for the group, as
/// NCCL's tuner does (docs/models.md, section C); with `algorithm` the cheapest protocol of that
/// one, nothing where the group or the network cannot run it. One rank costs nothing.
CollectiveCost collective_cost(Collective op, Bytes size, const Group& group,
                               const Network& network);
std::optional<CollectiveCost> collective_cost(Collective op, Bytes size, const Group& group,
                                              const Network& network, Algorithm algorithm);

/// f of nccl-tests: bus bandwidth over algorithm bandwidth of `ranks` ranks.
double bus_factor(Collective op, std::int64_t ranks);

/// Payload rate at which a ring over `group` passes bytes on when latency does not count.
BytesPerSecond bus_bandwidth(const Group& group, const Network& network);

// The time alone.
Seconds all_gather(Bytes gathered, const Group& group, const Network& network);
Seconds all_reduce(Bytes payload, const Group& group, const Network& network);
/// `payload`: what the busiest rank sends or receives, its own share included.
Seconds all_to_all(Bytes payload, const Group& group, const Network& network);
/// One message from every member to the next, across nodes if the group has several.
Seconds send_receive(Bytes payload, const Group& group, const Network& network);

/// Takes from `network` what the collective library of `stack` has not: without trees between nodes
/// all-reduces go round rings, which on two published fabrics reach 0.88 (EFA, NCCL 2.9.9) and 0.94
/// (TCPXO) of the adapters.
void limit_to_library(const Stack& stack, Network& network);

}  // namespace cubicbench::sim
