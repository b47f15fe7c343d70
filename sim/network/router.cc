#include "sim/network/router.h"

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/network/routes.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

using Parts = std::vector<BundlePart>;

/// Over all parallel cables of two neighbours alike.
void over_cables(const Topology& topology, std::span<const LinkId> cables, double part,
                 Parts& parts) {
  const double each = part / static_cast<double>(cables.size());
  for (const LinkId cable : cables) parts.push_back({topology.links[cable].bundle, each});
}

std::span<const LinkId> cables_of(const Topology& topology, std::int64_t from, std::int64_t to) {
  return links_between(topology, gpu_vertex(from), gpu_vertex(to), gpu_vertex(to));
}

void in_cube_mesh(const Topology& topology, std::int64_t from, std::int64_t to, Parts& parts) {
  const auto cables = cables_of(topology, from, to);
  if (!cables.empty()) return over_cables(topology, cables, 1.0, parts);
  const TopologyShape& shape = topology.shape;
  const std::int64_t first = domain_of(shape, from) * shape.domain_gpus;
  const std::int64_t end = std::min(first + shape.domain_gpus, shape.gpus);
  std::vector<std::int64_t> relays;
  for (std::int64_t gpu = first; gpu < end; ++gpu) {
    const bool joins =
        !cables_of(topology, from, gpu).empty() && !cables_of(topology, gpu, to).empty();
    if (joins) relays.push_back(gpu);
  }
  SIM_ASSERT(!relays.empty(), from, to);
  const double each = 1.0 / static_cast<double>(relays.size());
  for (const std::int64_t relay : relays) {
    over_cables(topology, cables_of(topology, from, relay), each, parts);
    over_cables(topology, cables_of(topology, relay, to), each, parts);
  }
}

/// Between two groups of a dragonfly: a flow that arrives at switch `here` of the one and leaves by
/// switch `there` of the other.
void between_groups(const Router& router, std::int64_t from_group, std::int64_t here,
                    std::int64_t to_group, std::int64_t there, Parts& parts) {
  const Topology& topology = router.topology();
  const SwitchLayers& layers = topology.layers;
  const double each = 1.0 / real(layers.global_cables);
  const auto switch_of = [&](std::int64_t group, std::int64_t number) {
    return fabric_switch(topology, 0, group, number);
  };
  for (std::int64_t cable = 0; cable < layers.global_cables; ++cable) {
    const std::int64_t out = global_port(layers, from_group, to_group, cable);
    const std::int64_t in = global_port(layers, to_group, from_group, cable);
    const VertexId exit = switch_of(from_group, out);
    const VertexId entry = switch_of(to_group, in);
    if (out != here) parts.push_back({router.between(switch_of(from_group, here), exit), each});
    parts.push_back({router.between(exit, entry), each});
    if (in != there) parts.push_back({router.between(entry, switch_of(to_group, there)), each});
  }
}

void over_dragonfly(const Router& router, std::int64_t from, std::int64_t to, Parts& parts) {
  const Topology& topology = router.topology();
  const TopologyShape& shape = topology.shape;
  const SwitchLayer& groups = topology.layers.layer[0];
  const auto group_of = [&](std::int64_t gpu) { return block_of(groups, gpu); };
  const auto switch_of = [&](std::int64_t gpu) {
    return gpu % groups.block_gpus / shape.tiers[0].gpus;
  };
  const auto leaf = [&](std::int64_t gpu) { return leaf_vertex_of(topology, gpu); };
  const BundleNumbers& numbers = router.numbers();
  parts.push_back({numbers.to_adapter(from).there});
  parts.push_back({numbers.to_leaf(from).there});
  if (group_of(from) != group_of(to)) {
    between_groups(router, group_of(from), switch_of(from), group_of(to), switch_of(to), parts);
  } else if (switch_of(from) != switch_of(to)) {
    parts.push_back({router.between(leaf(from), leaf(to))});
  }
  parts.push_back({numbers.to_leaf(to).back});
  parts.push_back({numbers.to_adapter(to).back});
}

}  // namespace

void Router::fix(std::int64_t from, std::int64_t to, std::vector<LinkId> links) {
  SIM_ASSERT(!links.empty() && from != to, from, to);
  fixed_[{from, to}] = std::move(links);
}

BundleId Router::between(VertexId from, VertexId to) const {
  const std::span<const LinkId> links = links_between(*topology_, from, to, to);
  SIM_ASSERT(!links.empty(), from, to);
  return topology_->links[links.front()].bundle;
}

void Router::spread(std::int64_t from, std::int64_t to, std::vector<BundlePart>& parts) const {
  const TopologyShape& shape = topology_->shape;
  const bool in_domain = domain_of(shape, from) == domain_of(shape, to);
  if (from == to) return;
  if (in_domain && shape.domain == DomainKind::cube_mesh) {
    return in_cube_mesh(*topology_, from, to, parts);
  }
  if (!in_domain && shape.fabric == FabricKind::dragonfly) {
    return over_dragonfly(*this, from, to, parts);
  }
  if (!in_domain) {
    return numbers_.each(from, to, [&](BundleId bundle) { parts.push_back({bundle}); });
  }
  if (shape.domain == DomainKind::switched) {
    parts.push_back({BundleNumbers::to_switch(from).there});
    parts.push_back({BundleNumbers::to_switch(to).back});
    return;
  }
  const Route way = route(*topology_, {.from = from, .to = to});
  for (const LinkId link : way.links()) parts.push_back({topology_->links[link].bundle});
}

}  // namespace cubicbench::sim
