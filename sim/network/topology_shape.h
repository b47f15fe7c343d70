#pragma once

#include <array>
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

}  // namespace cubicbench::sim
