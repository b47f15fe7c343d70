#include "sim/network/topology_shape.h"

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

}  // namespace cubicbench::sim
