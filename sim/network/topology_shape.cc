#include "sim/network/topology_shape.h"

#include <algorithm>
#include <cmath>

#include "sim/network/link_rings.h"

namespace cubicbench::sim {
namespace {

std::int64_t torus_gpus(const TopologyShape& shape) {
  std::int64_t product = 1;
  for (const int axis : shape.torus) product *= axis > 1 ? axis : 1;
  return product;
}

ShapeProblem problem_of_domain(const TopologyShape& shape) {
  if (shape.gpus < 1 || shape.gpus > topology_gpus_max) {
    return {"gpus", "1 to 131,072 GPUs", shape.gpus};
  }
  if (shape.domain_gpus < 1) return {"domain_gpus", "one GPU or more", shape.domain_gpus};
  if (shape.adapters < 1 || shape.adapters > shape.domain_gpus) {
    return {"adapters", "at least one adapter a domain and at most one a GPU", shape.adapters};
  }
  if (shape.domain_gpus > 1 && !(shape.domain_rate > BytesPerSecond{})) {
    return {"domain_rate", "a rate above zero", 0};
  }
  if (shape.domain == DomainKind::cube_mesh && shape.domain_gpus > cube_mesh_gpus) {
    return {"domain_gpus", "a cube mesh of at most 8 GPUs", shape.domain_gpus};
  }
  if (shape.domain != DomainKind::torus) return {};
  if (torus_gpus(shape) != shape.domain_gpus) {
    return {"torus", "axes whose product is the GPUs of the domain", torus_gpus(shape)};
  }
  if (torus_diameter(shape) > route_links_max) {
    return {"torus", "a torus of at most 64 steps from end to end", torus_diameter(shape)};
  }
  return {};
}

ShapeProblem problem_of_tiers(const TopologyShape& shape) {
  std::int64_t below = shape.domain_gpus;
  std::int64_t tiers = 0;
  for (; tiers < static_cast<std::int64_t>(tiers_max); ++tiers) {
    const Tier& tier = shape.tiers[static_cast<std::size_t>(tiers)];
    if (tier.gpus == 0) break;
    if (tier.gpus < below || tier.gpus % below != 0 || (tiers > 0 && tier.gpus == below)) {
      return {"tiers", "blocks that are whole multiples of the tier below, the first of a domain",
              tier.gpus};
    }
    if (!(tier.oversubscription > 0.0)) return {"tiers", "an oversubscription above zero", 0};
    if (tier.latency < Seconds{}) return {"tiers", "a latency of zero or more", 0};
    below = tier.gpus;
  }
  if (shape.fabric == FabricKind::flat && tiers != 0) {
    return {"tiers", "no tiers in a flat fabric", tiers};
  }
  if (shape.fabric == FabricKind::rail && tiers < 1) {
    return {"tiers", "a tier of rails: the block whose leaves spines join", tiers};
  }
  if (shape.fabric == FabricKind::dragonfly && tiers != 2) {
    return {"tiers", "two tiers of a dragonfly: the switch and the group", tiers};
  }
  if (shape.fabric == FabricKind::islands && tiers != 1) {
    return {"tiers", "one tier of islands: the island", tiers};
  }
  return {};
}

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

TopologyShape topology_shape(const Network& network, std::int64_t gpus, std::int64_t domain_gpus) {
  return {.gpus = gpus,
          .domain_gpus = domain_gpus,
          .adapters = domain_gpus,
          .domain = network.domain,
          .torus = network.torus,
          .torus_wraps = network.torus_wraps,
          .domain_rate = network.intra_bandwidth,
          .adapter_rate = network.inter_bandwidth,
          .fabric = network.fabric,
          .tiers = network.tiers};
}

std::int64_t tiers_used(const TopologyShape& shape) {
  std::int64_t used = 0;
  for (const Tier& tier : shape.tiers) {
    const bool holds_all = tier.gpus >= shape.gpus;
    const bool joins_rails = used == 0 && shape.fabric == FabricKind::rail;
    if (tier.gpus == 0 || (holds_all && !joins_rails)) break;
    ++used;
  }
  return used;
}

ShapeProblem problem_of(const TopologyShape& shape) {
  if (const ShapeProblem problem = problem_of_domain(shape)) return problem;
  if (const ShapeProblem problem = problem_of_tiers(shape)) return problem;
  if (shape.gpus > shape.domain_gpus && !(shape.adapter_rate > BytesPerSecond{})) {
    return {"adapter_rate", "a rate above zero", 0};
  }
  if (shape.switch_ports < 2) return {"switch_ports", "two ports or more", shape.switch_ports};
  return {};
}

std::int64_t torus_diameter(const TopologyShape& shape) {
  std::int64_t steps = 0;
  for (const int axis : shape.torus)
    if (axis > 1) steps += shape.torus_wraps ? axis / 2 : axis - 1;
  return steps;
}

std::int64_t domains_of(const TopologyShape& shape) {
  return (shape.gpus + shape.domain_gpus - 1) / shape.domain_gpus;
}

SwitchLayers switch_layers(const TopologyShape& shape) {
  if (shape.gpus <= shape.domain_gpus) return {};
  return shape.fabric == FabricKind::dragonfly ? dragonfly_layers(shape) : tree_layers(shape);
}

}  // namespace cubicbench::sim
