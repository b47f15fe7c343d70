#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

enum class VertexId : std::uint32_t {};
enum class LinkId : std::uint32_t {};
enum class BundleId : std::uint32_t {};

enum class VertexKind : std::uint8_t { gpu, domain_switch, adapter, fabric_switch };

/// A place where links meet.
struct Vertex {
  VertexKind kind = VertexKind::gpu;
  std::uint8_t tier = 0;  ///< of a fabric switch: 0 next to the adapters
  std::uint32_t block =
      0;  ///< the domain of a GPU, domain switch or adapter; the block of a switch
  std::uint32_t index = 0;  ///< within the block
};

/// One direction of one cable. The other direction is the link whose number differs in the last
/// bit.
struct Link {
  VertexId from{};
  VertexId to{};
  BundleId bundle{};
  BytesPerSecond rate;
  Seconds latency;
};

/// The other direction of the same cable.
constexpr LinkId reverse(LinkId link) {
  return static_cast<LinkId>(static_cast<std::uint32_t>(link) ^ 1U);
}

/// Vertices and directed links of a cluster, as tables indexed by dense ids. The first
/// `shape.gpus` vertices are the GPUs, so that GPU i is vertex i. Links that share their work, the
/// cables from one block to the tier above it or to its peers in a dragonfly, form a bundle: what a
/// perfect spread of the traffic loads evenly.
///
/// Made by build_topology() or by hand: add everything, then index() once. Threads may share one
/// that nobody changes. 16,384 GPUs on three tiers are about 260,000 links and 13 MB.
struct Topology {
  TopologyShape shape;
  SwitchLayers layers;  ///< of `shape`; none when it has one domain
  IdVector<VertexId, Vertex> vertices;
  IdVector<LinkId, Link> links;
  IdVector<BundleId, BytesPerSecond> bundles;  ///< sum of the rates of their links
  std::uint32_t domain_bundles = 0;            ///< of them inside domains, which come first
  std::vector<LinkId> leaving;                 ///< links by origin, then by target
  std::vector<std::uint32_t> first_leaving;    ///< row i: where vertex i's begin; one more row
};

/// Two new bundles without links: one for each direction.
struct BundlePair {
  BundleId there;
  BundleId back;
};
BundlePair add_bundles(Topology& topology);

/// A cable of `rate` each way: two links.
void add_cable(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate, Seconds latency,
               BundlePair bundles);
/// The same for bundles that have its rate already.
void add_links(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate, Seconds latency,
               BundlePair bundles);
/// A cable with bundles of its own.
void add_cable(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate,
               Seconds latency);

/// Sorts the links by where they leave from. Call after the last cable.
void index(Topology& topology);

/// Links that leave `vertex`, by target.
std::span<const LinkId> links_from(const Topology& topology, VertexId vertex);

/// Links from `vertex` to vertices `first` to `last`, both included.
std::span<const LinkId> links_between(const Topology& topology, VertexId vertex, VertexId first,
                                      VertexId last);

}  // namespace cubicbench::sim
