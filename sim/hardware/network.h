#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"

namespace cubicbench::sim {

/// How the GPUs of one fast domain are joined.
enum class DomainKind : std::uint8_t {
  switched,   ///< every GPU with all its links to a switch: NVSwitch
  direct,     ///< every GPU with equal shares of its links to each of the others
  cube_mesh,  ///< the hybrid cube mesh of eight V100 (DGX-1)
  torus,      ///< neighbours along two or three axes, ends joined (TPU)
};

/// How adapters are joined between domains.
enum class FabricKind : std::uint8_t {
  flat,       ///< one switch that never blocks: nothing is known of tiers
  rail,       ///< adapter i of every node on leaf switches of its own (rail-optimised fat tree)
  clos,       ///< racks below leaf switches, two or three tiers
  dragonfly,  ///< groups of switches, all joined inside and to each other
  islands,    ///< whole clusters, joined by a data-centre network
};

/// Which GPUs of a cluster a job gets.
enum class Placement : std::uint8_t {
  packed,       ///< neighbours, as few blocks as possible
  scattered,    ///< nodes from everywhere, in no order
  partly_used,  ///< what is left where other jobs hold half of every block
};

constexpr std::size_t tiers_max = 3;
constexpr std::size_t torus_axes_max = 3;

/// One step up: blocks of `gpus` GPUs hang below it. The uplinks of a block carry what its adapters
/// could, divided by `oversubscription`.
struct Tier {
  std::int64_t gpus = 0;  ///< below one block; 0: no such tier
  double oversubscription = 1.0;
  Seconds latency{};  ///< that a network step across it takes longer

  bool operator==(const Tier&) const = default;
};

/// One protocol of a ring inside a domain. `k` ring steps that move `S f` bytes a link take
///
///   base + k step + fill sqrt(min(S, 1 GiB) f / 1 MB) + S f / (share * nominal rate)
///
/// The root is the pipeline's fill with the best chunk: (sqrt(k a) + sqrt(S/B))^2.
struct RingProtocol {
  double share = 0.0;  ///< of the nominal rate of a GPU; 0: the library does not use it
  Seconds base{};
  Seconds step{};
  Seconds fill{};  ///< of 1 MB

  bool operator==(const RingProtocol&) const = default;
};

/// What collectives cost inside a domain of one device generation, as its library runs them. Shares
/// are of the nominal rate of a GPU, one direction. Docs/models.md, Eq. C-1 to C-6.
struct DomainCosts {
  RingProtocol ll{};
  Seconds ll_floor{};  ///< least of base and steps with LL
  RingProtocol ll128{};
  RingProtocol simple{.share = 0.79, .base = {9e-6}, .step = {1.5e-6}, .fill = {3.6e-6}};
  double small_group_loss = 0.0;  ///< rings of n reach 1 - loss / (n - 1) of the rate
  /// Reduction in the switch, of more than four ranks: base + fill (log2 n - 1) sqrt(MB)
  /// + S / (share * nominal).
  double nvls_share = 0.0;  ///< 0: the switch or the library cannot
  Seconds nvls_base{};
  Seconds nvls_fill{};
  Seconds exchange_floor{12e-6};           ///< of an all-to-all among few
  double exchange_share = 0.75;            ///< once a peer gets more than a chunk
  Seconds message_base{11e-6};             ///< of send and receive
  BytesPerSecond message_channel_ll{5e9};  ///< of one channel, short messages
  BytesPerSecond message_channel{20e9};    ///< of one channel
  double message_share = 0.7;              ///< most of a pair

  bool operator==(const DomainCosts&) const = default;
};

/// One family of collectives on one fabric, two regimes, the faster of which counts:
///
///   low_base + S / (low_share W)      and      base + fill sqrt(MB) + S x / (share W)
///
/// `W` is the rate of the adapters of a group on one node, `x` what the algorithm sends through
/// them a byte of payload. Start-ups are those of two nodes.
struct FabricFamily {
  double low_share = 0.0;  ///< 0: there is no regime of short latency
  Seconds low_base{};
  double share = 0.9;
  double share_many = 0.0;  ///< of trees on more than two nodes; 0: as `share`
  Seconds base{30e-6};
  Seconds fill{9e-6};  ///< of 1 MB

  bool operator==(const FabricFamily&) const = default;
};

/// Send and receive between nodes: the faster of
///
///   base + S / low_rate      and      base + switched + S / (j channel),   at most share * NIC
struct FabricMessage {
  Seconds base{14.5e-6};
  BytesPerSecond low_rate{4.3e9};
  Seconds switched{8e-6};
  BytesPerSecond channel{20e9};
  double share = 0.9;

  bool operator==(const FabricMessage&) const = default;
};

/// What collectives cost between nodes: one fabric class with one generation of the library.
struct FabricCosts {
  FabricFamily reduce{};    ///< all-reduce
  FabricFamily gather{};    ///< all-gather, reduce-scatter, broadcast
  FabricFamily exchange{};  ///< all-to-all
  FabricMessage message{};
  bool trees = true;  ///< the library has trees between nodes

  bool operator==(const FabricCosts&) const = default;
};

/// Fast domains, joined by one adapter a GPU. Rates are nominal, of one GPU in one direction.
struct Network {
  DomainKind domain = DomainKind::switched;
  int direct_peers = 0;        ///< of DomainKind::direct: GPUs that the links of one GPU go to
  std::array<int, 9> rings{};  ///< of DomainKind::cube_mesh: link-disjoint rings of n GPUs
  std::array<int, torus_axes_max> torus{};  ///< of DomainKind::torus: GPUs along an axis
  bool torus_wraps = true;                  ///< its ends are joined
  BytesPerSecond intra_bandwidth{};  ///< of a GPU in its domain; of a link in a torus or cube mesh
  BytesPerSecond inter_bandwidth{};  ///< of the adapters of a node, a GPU
  FabricKind fabric = FabricKind::flat;
  std::array<Tier, tiers_max> tiers{};
  DomainCosts intra{};
  FabricCosts inter{};
  // what this cluster reaches of what its kind does: 1 unless it is known to differ
  double intra_efficiency = 1.0;
  double inter_efficiency = 1.0;
  double intra_delay = 1.0;  ///< of start-ups and steps
  double inter_delay = 1.0;
  Seconds collective_overhead{};  ///< what the way of running adds to every collective

  bool operator==(const Network&) const = default;
};

/// What a job finds of its network when it starts: ranks that keep each other waiting, for a reason
/// that no launch setting tells. Zero is a network in order.
struct NetworkState {
  Seconds launch_wait{};  ///< of a layer's forward launches, a rank of the tensor-parallel group
  Seconds
      collective_wait{};  ///< of a scatter or gather of weights between nodes, a rank of its group

  bool operator==(const NetworkState&) const = default;
};

}  // namespace cubicbench::sim
