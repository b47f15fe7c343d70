#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/hardware/network.h"

namespace cubicbench::sim {

/// What a topology is built from: the parts of a Network that say how it is joined, and how much of
/// it there is.
struct TopologyShape {
  std::int64_t gpus = 1;         ///< of the cluster; a job may use fewer
  std::int64_t domain_gpus = 8;  ///< in one fast domain; the last one may be smaller
  /// Of one domain; GPU i uses adapter i * adapters / domain_gpus. A GPU with several has one of
  /// the sum of their rates.
  std::int64_t adapters = 8;
  DomainKind domain = DomainKind::switched;
  std::array<int, torus_axes_max> torus{};  ///< of DomainKind::torus; axes of 0 or 1 do not count
  bool torus_wraps = true;                  ///< the ends of an axis of three or more are joined
  BytesPerSecond domain_rate{};   ///< of a GPU, one direction; of one link in a torus or cube mesh
  BytesPerSecond adapter_rate{};  ///< of the adapters of a domain, a GPU
  FabricKind fabric = FabricKind::flat;
  std::array<Tier, tiers_max> tiers{};  ///< from the adapters up; the first with gpus = 0 ends them
  std::int64_t switch_ports = 64;       ///< of a spine or core switch

  bool operator==(const TopologyShape&) const = default;
};

/// The shape of `network` with `gpus` GPUs in domains of `domain_gpus`, one adapter a GPU.
TopologyShape topology_shape(const Network& network, std::int64_t gpus, std::int64_t domain_gpus);

/// Tiers that a topology of this shape has: those whose block does not hold all its GPUs, and with
/// rails the first, which joins them.
std::int64_t tiers_used(const TopologyShape& shape);

/// Why no topology has a shape: `field` is empty if one has.
struct ShapeProblem {
  const char* field = "";
  const char* expected = "";
  std::int64_t got = 0;
  explicit operator bool() const { return *field != '\0'; }
};

/// The first thing wrong with `shape`. Blocks must nest: each tier a multiple of the one below it
/// and larger, the first a multiple of a domain. That also refuses a tier inside itself.
ShapeProblem problem_of(const TopologyShape& shape);

/// Most links between two GPUs on a torus, one axis after the other.
std::int64_t torus_diameter(const TopologyShape& shape);

/// Domains, the last of which may be smaller.
std::int64_t domains_of(const TopologyShape& shape);

constexpr std::int64_t topology_gpus_max = 131'072;
constexpr std::int64_t route_links_max = 64;

constexpr std::size_t switch_layers_max = tiers_max + 1;

/// The switches of one tier, counted from the adapters. Those of a block come one after the other.
struct SwitchLayer {
  std::int64_t block_gpus = 0;  ///< that hang below one block
  std::int64_t blocks = 0;
  std::int64_t switches = 0;  ///< in a block
  std::int64_t cables = 0;    ///< up from each switch; 0 in the last layer
  BytesPerSecond cable_rate;
  Seconds cable_latency;
  /// Switches of the layer above that each switch is joined to. Less than all of a block when the
  /// layer above has planes: then switch j reaches only those from j * parents on.
  std::int64_t parents = 0;
};

/// The fabric of a shape as tables. `count` layers; a dragonfly has one, whose `switches` are those
/// of a group and whose blocks are the groups.
struct SwitchLayers {
  std::array<SwitchLayer, switch_layers_max> layer{};
  std::size_t count = 0;
  std::int64_t global_cables = 0;  ///< of a dragonfly, between two groups
};

/// What has a bundle up from `tier` of a tree to the next: every leaf, since what enters at one
/// cannot leave through another; further up whole blocks.
constexpr std::int64_t cells_of(const SwitchLayers& layers, std::size_t tier) {
  const SwitchLayer& layer = layers.layer[tier];
  return tier == 0 ? layer.blocks * layer.switches : layer.blocks;
}

/// How many switches and cables a fabric of this shape has.
///
/// A block's uplinks carry together what its adapters could over the oversubscription, on cables of
/// about an adapter's rate. Spines are as many as their ports need, half of which (o / (1 + o) with
/// oversubscription o) look down; every leaf reaches every spine of its block; where a switch has
/// too few cables to reach all switches above, these are planes, one a spine. Where ports would not
/// suffice for that a spine has more of them (a modular chassis). With 64 ports this is [SuperPOD]:
/// 16,384 GPUs are 512 leaf, 512 spine and 256 core switches.
/// Requires problem_of(shape) to be none.
SwitchLayers switch_layers(const TopologyShape& shape);

/// Block of `layer` that GPU `gpu` hangs below.
constexpr std::int64_t block_of(const SwitchLayer& layer, std::int64_t gpu) {
  return gpu / layer.block_gpus;
}

/// Switch of the lowest layer, within its block, that adapter `adapter` of a domain is joined to:
/// its own with rails, else the only one.
constexpr std::int64_t leaf_of(const SwitchLayer& lowest, std::int64_t adapter) {
  return lowest.switches > 1 ? adapter : 0;
}

/// A dragonfly's end of cable `cable` from group `group` to group `peer`: the switch within
/// `group`. Cables go round the switches, so that each has about as many.
constexpr std::int64_t global_port(const SwitchLayers& layers, std::int64_t group,
                                   std::int64_t peer, std::int64_t cable) {
  const SwitchLayer& groups = layers.layer[0];
  const std::int64_t turn = (peer - group - 1 + groups.blocks) % groups.blocks;
  return (turn * layers.global_cables + cable) % groups.switches;
}

}  // namespace cubicbench::sim
