#include "sim/network/switch_layers.h"

#include <algorithm>
#include <cmath>


namespace cubicbench::sim {
namespace {

std::int64_t whole(double number) { return static_cast<std::int64_t>(std::ceil(number - 1e-9)); }

std::int64_t parts(std::int64_t all, std::int64_t part) { return (all + part - 1) / part; }

/// What the adapters of `gpus` GPUs carry.
BytesPerSecond adapters_rate(const TopologyShape& shape, std::int64_t gpus) {
  return real(gpus) * shape.adapter_rate;
}

/// Cables of an adapter's rate that carry what leaves a block of `tier`.
double cables_needed(const TopologyShape& shape, const Tier& tier) {
  const double adapters = real(tier.gpus) * real(shape.adapters) / real(shape.domain_gpus);
  return adapters / tier.oversubscription;
}

void add_uplinks(SwitchLayer& layer, const TopologyShape& shape, const Tier& tier) {
  const bool one_cable = shape.fabric == FabricKind::islands;
  layer.cables = one_cable ? 1 : whole(cables_needed(shape, tier) / real(layer.switches));
  layer.cable_rate = adapters_rate(shape, tier.gpus) /
                     (tier.oversubscription * real(layer.switches * layer.cables));
  layer.cable_latency = tier.latency / 2.0;  // up here, down there
}

/// Ports of a switch that look down when its block's uplinks are oversubscribed as in `tier`.
double ports_down(const TopologyShape& shape, const Tier* tier) {
  const double ports = real(shape.switch_ports);
  if (tier == nullptr) return ports;
  const double over = tier->oversubscription;
  return std::max(1.0, std::floor(ports * over / (1.0 + over) + 0.5));
}

/// Puts switches into `layer` above the `children` blocks of `below`. Null `tier`: the last layer.
void add_parents(SwitchLayer& below, SwitchLayer& layer, std::int64_t children, bool lowest,
                 const TopologyShape& shape, const Tier* tier) {
  const double cables = real(children * below.switches * below.cables);
  const std::int64_t wanted = whole(cables / ports_down(shape, tier));
  if (lowest || wanted <= below.cables) {
    layer.switches = std::clamp<std::int64_t>(wanted, 1, below.cables);
    below.parents = layer.switches;
    return;
  }
  below.parents = std::clamp<std::int64_t>(parts(wanted, below.switches), 1, below.cables);
  layer.switches = below.switches * below.parents;
}

SwitchLayers tree_layers(const TopologyShape& shape) {
  SwitchLayers layers;
  const auto tiers = static_cast<std::size_t>(tiers_used(shape));
  for (std::size_t i = 0; i <= tiers; ++i) {
    const Tier* tier = i < tiers ? &shape.tiers[i] : nullptr;
    SwitchLayer& layer = layers.layer[i];
    layer.block_gpus = tier != nullptr ? tier->gpus : shape.gpus;
    layer.blocks = parts(shape.gpus, layer.block_gpus);
    if (i == 0) {
      layer.switches = shape.fabric == FabricKind::rail ? shape.adapters : 1;
    } else {
      SwitchLayer& below = layers.layer[i - 1];
      const std::int64_t children = tier != nullptr ? tier->gpus / below.block_gpus : below.blocks;
      add_parents(below, layer, children, i == 1, shape, tier);
    }
    if (tier != nullptr) add_uplinks(layer, shape, *tier);
  }
  layers.count = tiers + 1;
  return layers;
}

SwitchLayers dragonfly_layers(const TopologyShape& shape) {
  const Tier& local = shape.tiers[0];
  const Tier& group = shape.tiers[1];
  SwitchLayers layers;
  SwitchLayer& layer = layers.layer[0];
  layer.block_gpus = group.gpus;
  layer.blocks = parts(shape.gpus, group.gpus);
  layer.switches = group.gpus / local.gpus;
  layer.cables = layer.switches - 1;
  if (layer.cables > 0) {
    layer.cable_rate =
        adapters_rate(shape, local.gpus) / (local.oversubscription * real(layer.cables));
  }
  layer.cable_latency = local.latency;
  if (layer.blocks > 1) {
    const std::int64_t cables = whole(cables_needed(shape, group));
    layers.global_cables = std::max<std::int64_t>(1, cables / (layer.blocks - 1));
  }
  layers.count = 1;
  return layers;
}

}  // namespace

SwitchLayers switch_layers(const TopologyShape& shape) {
  if (shape.gpus <= shape.domain_gpus) return {};
  return shape.fabric == FabricKind::dragonfly ? dragonfly_layers(shape) : tree_layers(shape);
}

}  // namespace cubicbench::sim
