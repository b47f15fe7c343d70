#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/topology.h"
#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// The graph of a shape. In order of vertices: GPUs, the switch of each domain
/// (DomainKind::switched only), and, when there is more than one domain, adapters and then fabric
/// switches layer by layer.
///
/// A domain is a star around its switch, a full mesh, the cube mesh or a torus. An adapter is
/// joined to its GPUs at its own rate and to a leaf. Latencies are those of the tiers alone: what
/// GPUs and adapters add belongs to the costs of a collective. Requires problem_of(shape) to be
/// none. 16,384 GPUs take about 10 ms.
Topology build_topology(const TopologyShape& shape);

/// Its bundles, for those who ask for no more than BundleNumbers tells: vertices and links only
/// where these do not tell all, of dragonflies and of domains without a switch.
Topology build_bundles(const TopologyShape& shape);

VertexId gpu_vertex(std::int64_t gpu);
VertexId domain_switch(const Topology& topology, std::int64_t domain);
VertexId adapter_vertex(const Topology& topology, std::int64_t domain, std::int64_t adapter);
/// The switch that an adapter is joined to: its leaf, in a dragonfly that of its group.
VertexId leaf_vertex(const Topology& topology, std::int64_t domain, std::int64_t adapter);
/// Those of a GPU.
VertexId adapter_vertex_of(const Topology& topology, std::int64_t gpu);
VertexId leaf_vertex_of(const Topology& topology, std::int64_t gpu);
/// Switch `number` of block `block` of layer `layer`.
VertexId fabric_switch(const Topology& topology, std::size_t layer, std::int64_t block,
                       std::int64_t number);

std::int64_t domain_of(const TopologyShape& shape, std::int64_t gpu);
/// The adapter, within its domain, that `gpu` sends through.
std::int64_t adapter_of(const TopologyShape& shape, std::int64_t gpu);

/// Members of one domain that follow on one another in a group: `size` of them from place `first`.
struct DomainRun {
  std::size_t first = 0;
  std::size_t size = 0;
};

/// `gpus`, the members of a group in rank order, cut where the domain changes.
std::vector<DomainRun> domain_runs(const TopologyShape& shape, std::span<const std::int64_t> gpus);

}  // namespace cubicbench::sim
