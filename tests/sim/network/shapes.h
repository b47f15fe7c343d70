#pragma once

#include <cstdint>

#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// Eight GPUs a node at 450 GB/s, one adapter of 50 GB/s each.
inline TopologyShape node_shape(std::int64_t gpus) {
  return {.gpus = gpus, .domain_rate = 450_GBps, .adapter_rate = 50_GBps};
}

/// DGX SuperPOD: rails, scalable units of 32 nodes, pods of four.
inline TopologyShape superpod_shape(std::int64_t gpus) {
  TopologyShape shape = node_shape(gpus);
  shape.fabric = FabricKind::rail;
  shape.tiers = {Tier{256, 1.0, 1_us}, Tier{1024, 1.0, 2_us}};
  return shape;
}

/// Llama 3: racks of 16, pods of 3,072 with full bisection, 1:7 between pods.
inline TopologyShape llama3_shape(std::int64_t gpus) {
  TopologyShape shape = node_shape(gpus);
  shape.fabric = FabricKind::clos;
  shape.tiers = {Tier{16, 1.0, 1_us}, Tier{3072, 7.0, 2_us}};
  return shape;
}

/// Racks of 16, pods of 128, 1:2 and 1:7 above them.
inline TopologyShape small_clos_shape(std::int64_t gpus) {
  TopologyShape shape = node_shape(gpus);
  shape.fabric = FabricKind::clos;
  shape.tiers = {Tier{16, 2.0, 1_us}, Tier{128, 7.0, 2_us}};
  return shape;
}

/// Switches of 16 GPUs, groups of 8 switches. Twice the adapters' rate inside a group, as balanced
/// dragonflies have for what passes through, half of it between groups.
inline TopologyShape dragonfly_shape(std::int64_t gpus) {
  TopologyShape shape = node_shape(gpus);
  shape.fabric = FabricKind::dragonfly;
  shape.tiers = {Tier{16, 0.5, 1_us}, Tier{128, 2.0, 2_us}};
  return shape;
}

/// Islands of 512 GPUs; a fifth of what their adapters carry can leave.
inline TopologyShape islands_shape(std::int64_t gpus) {
  TopologyShape shape = node_shape(gpus);
  shape.fabric = FabricKind::islands;
  shape.tiers = {Tier{512, 5.0, 100_us}};
  return shape;
}

/// One domain of x * y * z chips.
inline TopologyShape torus_shape(int x, int y, int z) {
  const std::int64_t chips = std::int64_t{1} * x * y * z;
  return {.gpus = chips,
          .domain_gpus = chips,
          .adapters = 1,
          .domain = DomainKind::torus,
          .torus = {x, y, z},
          .domain_rate = 70_GBps};
}

/// Whether the links follow on one another from GPU `from` to GPU `to`.
inline bool joins(const Topology& topology, const Route& route, std::int64_t from,
                  std::int64_t to) {
  VertexId at = gpu_vertex(from);
  for (const LinkId link : route.links()) {
    if (topology.links[link].from != at) return false;
    at = topology.links[link].to;
  }
  return at == gpu_vertex(to);
}

}  // namespace cubicbench::sim
