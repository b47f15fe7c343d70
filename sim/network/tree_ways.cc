#include "sim/network/tree_ways.h"

#include "sim/base/check.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {

TreeWays::Step TreeWays::step(const Topology& topology, VertexId from, VertexId first,
                              VertexId last) {
  const std::span<const LinkId> links = links_between(topology, from, first, last);
  SIM_ASSERT(!links.empty(), from, first);
  const LinkId link = links.front();
  return {topology.links[link].bundle, topology.links[reverse(link)].bundle};
}

TreeWays::TreeWays(const Topology& topology) {
  const SwitchLayers& layers = topology.layers;
  if (layers.count == 0 || topology.shape.fabric == FabricKind::dragonfly) return;
  tiers_ = layers.count - 1;
  const SwitchLayer& lowest = layers.layer[0];
  const VertexId first_leaf = fabric_switch(topology, 0, 0, 0);
  const std::int64_t leaves = lowest.blocks * lowest.switches;
  climbs_.reserve(static_cast<std::size_t>(leaves) * tiers_);
  for (std::int64_t leaf = 0; leaf < leaves; ++leaf) {
    const std::int64_t gpu = leaf / lowest.switches * lowest.block_gpus;  // one below it
    VertexId here = id_at<VertexId>(index_of(first_leaf) + static_cast<std::size_t>(leaf));
    for (std::size_t tier = 1; tier <= tiers_; ++tier) {
      const SwitchLayer& layer = layers.layer[tier];
      const std::int64_t block = block_of(layer, gpu);
      const VertexId first = fabric_switch(topology, tier, block, 0);
      const VertexId last = fabric_switch(topology, tier, block, layer.switches - 1);
      climbs_.push_back({step(topology, here, first, last), block});
      here = first;
    }
  }
  gpus_.reserve(static_cast<std::size_t>(topology.shape.gpus));
  for (std::int64_t gpu = 0; gpu < topology.shape.gpus; ++gpu) {
    const VertexId adapter = adapter_vertex_of(topology, gpu);
    const VertexId leaf = leaf_vertex_of(topology, gpu);
    gpus_.push_back({.to_adapter = step(topology, gpu_vertex(gpu), adapter, adapter),
                     .to_leaf = step(topology, adapter, leaf, leaf),
                     .leaf = static_cast<std::uint32_t>(index_of(leaf) - index_of(first_leaf))});
  }
}

}  // namespace cubicbench::sim
