#include "sim/network/fabric_cells.h"

#include "sim/base/check.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

bool is_dragonfly(const Topology& topology) {
  return topology.shape.fabric == FabricKind::dragonfly;
}

/// Some link from a switch to one of those from `first` to `last`.
const Link& link_to_any(const Topology& topology, VertexId from, VertexId first, VertexId last) {
  for (const LinkId link : links_between(topology, from, first, last)) return topology.links[link];
  SIM_ASSERT(false, from, first, last);
  return topology.links[LinkId{}];
}

}  // namespace

FabricCells::FabricCells(const Router& router) : router_(&router) {
  const Topology& topology = router.topology();
  const SwitchLayers& layers = topology.layers;
  if (layers.count == 0) return;
  const SwitchLayer& lowest = layers.layer[0];
  if (is_dragonfly(topology)) {
    counts_.push_back(lowest.blocks * lowest.switches);
    if (lowest.blocks > 1) counts_.push_back(lowest.blocks);
    return;
  }
  for (std::size_t level = 0; level + 1 < layers.count; ++level) {
    const SwitchLayer& layer = layers.layer[level];
    counts_.push_back(level == 0 ? layer.blocks * layer.switches : layer.blocks);
  }
}

std::int64_t FabricCells::cell(std::size_t level, std::int64_t gpu) const {
  const Topology& topology = router_->topology();
  const SwitchLayer& lowest = topology.layers.layer[0];
  if (level == 0) {
    return static_cast<std::int64_t>(index_of(leaf_vertex_of(topology, gpu)) -
                                     index_of(fabric_switch(topology, 0, 0, 0)));
  }
  return block_of(is_dragonfly(topology) ? lowest : topology.layers.layer[level], gpu);
}

BundlePair FabricCells::bundles(std::size_t level, std::int64_t cell) const {
  const Topology& topology = router_->topology();
  const SwitchLayers& layers = topology.layers;
  const SwitchLayer& lowest = layers.layer[0];
  if (is_dragonfly(topology) && level == 1) {
    const std::int64_t peer = cell == 0 ? 1 : 0;
    const BundleId out =
        router_->between(fabric_switch(topology, 0, cell, global_port(layers, cell, peer, 0)),
                         fabric_switch(topology, 0, peer, global_port(layers, peer, cell, 0)));
    return {out, out};
  }
  if (is_dragonfly(topology)) {
    const std::int64_t group = cell / lowest.switches;
    const std::int64_t number = cell % lowest.switches;
    const BundleId out = router_->between(fabric_switch(topology, 0, group, number),
                                          fabric_switch(topology, 0, group, number == 0 ? 1 : 0));
    return {out, out};
  }
  const SwitchLayer& layer = layers.layer[level];
  const std::int64_t block = level == 0 ? cell / layer.switches : cell;
  const std::int64_t number = level == 0 ? cell % layer.switches : 0;
  const std::int64_t above = block_of(layers.layer[level + 1], block * layer.block_gpus);
  const Link& up =
      link_to_any(topology, fabric_switch(topology, level, block, number),
                  fabric_switch(topology, level + 1, above, 0),
                  fabric_switch(topology, level + 1, above, layers.layer[level + 1].switches - 1));
  return {up.bundle, router_->between(up.to, up.from)};
}

}  // namespace cubicbench::sim
