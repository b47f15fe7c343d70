#include "sim/network/bundle_numbers.h"

#include "sim/network/topologies.h"

namespace cubicbench::sim {

BundleNumbers::BundleNumbers(const Topology& topology)
    : domain_gpus_(narrow(topology.shape.domain_gpus)),
      domain_adapters_(narrow(topology.shape.adapters)),
      adapters_(topology.domain_bundles),
      leaves_(adapters_ + 2 * narrow(topology.shape.gpus)) {
  const SwitchLayers& layers = topology.layers;
  if (layers.count == 0 || topology.shape.fabric == FabricKind::dragonfly) return;
  rails_ = narrow(layers.layer[0].switches);
  Number next = leaves_ + 2 * narrow(domains_of(topology.shape)) * domain_adapters_;
  for (std::size_t tier = 0; tier < layers.count; ++tier) {
    block_gpus_[tier] = narrow(layers.layer[tier].block_gpus);
    uplinks_[tier] = next;
    next += 2 * narrow(cells_of(layers, tier));
  }
}

}  // namespace cubicbench::sim
