#include "sim/network/topologies.h"

#include <algorithm>

#include "sim/network/bundle_numbers.h"
#include "sim/network/link_rings.h"

namespace cubicbench::sim {
namespace {

std::size_t place(std::int64_t number) { return static_cast<std::size_t>(number); }

VertexId vertex(std::int64_t number) { return id_at<VertexId>(place(number)); }

std::uint32_t narrow(std::int64_t number) { return static_cast<std::uint32_t>(number); }

// ---- inside a domain ---------------------------------------------------------------------------

/// The GPUs of one domain: `count` from vertex `first` on.
struct Domain {
  std::int64_t number;
  std::int64_t first;
  std::int64_t count;
};

void add_star(Topology& topology, const Domain& domain) {
  for (std::int64_t i = 0; i < domain.count; ++i) {
    add_cable(topology, vertex(domain.first + i), domain_switch(topology, domain.number),
              topology.shape.domain_rate, {});
  }
}

void add_full_mesh(Topology& topology, const Domain& domain) {
  const auto peers = static_cast<double>(topology.shape.domain_gpus - 1);
  for (std::int64_t i = 0; i < domain.count; ++i) {
    for (std::int64_t j = i + 1; j < domain.count; ++j) {
      add_cable(topology, vertex(domain.first + i), vertex(domain.first + j),
                topology.shape.domain_rate / peers, {});
    }
  }
}

void add_cube_mesh(Topology& topology, const Domain& domain) {
  for (std::int64_t i = 0; i < domain.count; ++i) {
    for (std::int64_t j = i + 1; j < domain.count; ++j) {
      for (int cable = 0; cable < cube_mesh_cables[place(i)][place(j)]; ++cable) {
        add_cable(topology, vertex(domain.first + i), vertex(domain.first + j),
                  topology.shape.domain_rate, {});
      }
    }
  }
}

void add_torus(Topology& topology, const Domain& domain) {
  const TopologyShape& shape = topology.shape;
  for (std::int64_t i = 0; i < domain.count; ++i) {
    std::int64_t stride = 1;
    for (const int axis : shape.torus) {
      if (axis < 2) continue;
      const std::int64_t at = i / stride % axis;
      const bool is_last = at == axis - 1;
      if (!is_last || (shape.torus_wraps && axis > 2)) {
        const std::int64_t next = is_last ? i - at * stride : i + stride;
        if (next < domain.count) {
          add_cable(topology, vertex(domain.first + i), vertex(domain.first + next),
                    shape.domain_rate, {});
        }
      }
      stride *= axis;
    }
  }
}

void add_domain(Topology& topology, const Domain& domain) {
  switch (topology.shape.domain) {
    case DomainKind::switched:
      return add_star(topology, domain);
    case DomainKind::direct:
      return add_full_mesh(topology, domain);
    case DomainKind::cube_mesh:
      return add_cube_mesh(topology, domain);
    case DomainKind::torus:
      return add_torus(topology, domain);
  }
}

// ---- between domains ---------------------------------------------------------------------------

void add_vertices(Topology& topology) {
  const TopologyShape& shape = topology.shape;
  const std::int64_t domains = domains_of(shape);
  for (std::int64_t gpu = 0; gpu < shape.gpus; ++gpu) {
    topology.vertices.push_back(
        {VertexKind::gpu, 0, narrow(gpu / shape.domain_gpus), narrow(gpu % shape.domain_gpus)});
  }
  if (shape.domain == DomainKind::switched) {
    for (std::int64_t i = 0; i < domains; ++i) {
      topology.vertices.push_back({VertexKind::domain_switch, 0, narrow(i), 0});
    }
  }
  if (topology.layers.count == 0) return;
  for (std::int64_t i = 0; i < domains * shape.adapters; ++i) {
    topology.vertices.push_back(
        {VertexKind::adapter, 0, narrow(i / shape.adapters), narrow(i % shape.adapters)});
  }
  for (std::size_t tier = 0; tier < topology.layers.count; ++tier) {
    const SwitchLayer& layer = topology.layers.layer[tier];
    for (std::int64_t i = 0; i < layer.blocks * layer.switches; ++i) {
      topology.vertices.push_back({VertexKind::fabric_switch, static_cast<std::uint8_t>(tier),
                                   narrow(i / layer.switches), narrow(i % layer.switches)});
    }
  }
}

/// Both ways of `count` cables or bundles of some.
void append_bundles(Topology& topology, std::int64_t count, BytesPerSecond rate) {
  for (std::int64_t i = 0; i < 2 * count; ++i) topology.bundles.push_back(rate);
}

/// Of an adapter and its cables.
BytesPerSecond adapter_rate(const TopologyShape& shape) {
  const double share = static_cast<double>(shape.domain_gpus) / static_cast<double>(shape.adapters);
  return share * shape.adapter_rate;
}

/// Those of the fabric: adapters, leaves and, in a tree, switches. A dragonfly's switches get
/// theirs with their cables.
void append_fabric_bundles(Topology& topology) {
  const TopologyShape& shape = topology.shape;
  const SwitchLayers& layers = topology.layers;
  topology.domain_bundles = narrow(std::ssize(topology.bundles));
  if (layers.count == 0) return;
  append_bundles(topology, shape.gpus + domains_of(shape) * shape.adapters, adapter_rate(shape));
  for (std::size_t tier = 0; tier + 1 < layers.count; ++tier) {
    const SwitchLayer& layer = layers.layer[tier];
    const std::int64_t cables = tier == 0 ? layer.cables : layer.switches * layer.cables;
    BytesPerSecond rate;
    for (std::int64_t i = 0; i < cables; ++i) rate += layer.cable_rate;
    append_bundles(topology, cells_of(layers, tier), rate);
  }
}

void add_adapters(Topology& topology) {
  const TopologyShape& shape = topology.shape;
  const BundleNumbers numbers(topology);
  const BytesPerSecond rate = adapter_rate(shape);
  for (std::int64_t gpu = 0; gpu < shape.gpus; ++gpu) {
    add_links(topology, vertex(gpu), adapter_vertex_of(topology, gpu), rate, {},
              numbers.to_adapter(gpu));
  }
  for (std::int64_t domain = 0; domain < domains_of(shape); ++domain) {
    for (std::int64_t adapter = 0; adapter < shape.adapters; ++adapter) {
      add_links(topology, adapter_vertex(topology, domain, adapter),
                leaf_vertex(topology, domain, adapter), rate, {},
                numbers.leaf_cable(domain * shape.adapters + adapter));
    }
  }
}

/// Of domains, at most.
std::int64_t cables_of_domains(const TopologyShape& shape) {
  constexpr std::int64_t axes = 3;
  switch (shape.domain) {
    case DomainKind::switched:
      return shape.gpus;
    case DomainKind::torus:
      return axes * shape.gpus;
    case DomainKind::direct:
    case DomainKind::cube_mesh:
      return 0;  // few GPUs a domain: not worth counting
  }
  return 0;
}

/// Below the leaves, at most: each has bundles of its own.
std::int64_t cables_below_leaves(const Topology& topology) {
  const TopologyShape& shape = topology.shape;
  const std::int64_t in_domains = cables_of_domains(shape);
  if (topology.layers.count == 0) return in_domains;
  return in_domains + shape.gpus + domains_of(shape) * shape.adapters;
}

// Room for what a tree has, so that tables of millions of rows are written once. A dragonfly's
// grow.

void reserve_bundles(Topology& topology) {
  std::int64_t pairs = cables_below_leaves(topology);
  for (std::size_t tier = 0; tier < topology.layers.count; ++tier) {
    pairs += cells_of(topology.layers, tier);
  }
  topology.bundles.reserve(place(2 * pairs));
}

void reserve_graph(Topology& topology) {
  const TopologyShape& shape = topology.shape;
  std::int64_t cables = cables_below_leaves(topology);
  std::int64_t vertices = shape.gpus + domains_of(shape) * (1 + shape.adapters);
  for (std::size_t tier = 0; tier < topology.layers.count; ++tier) {
    const SwitchLayer& layer = topology.layers.layer[tier];
    const std::int64_t switches = layer.blocks * layer.switches;
    vertices += switches;
    cables += switches * layer.cables;
  }
  topology.vertices.reserve(place(vertices));
  topology.links.reserve(place(2 * cables));
}

/// The cables of one switch to the layer above it, spread evenly over its parents.
void add_uplinks(Topology& topology, std::size_t tier, std::int64_t block, std::int64_t number,
                 BundlePair bundles) {
  const SwitchLayer& layer = topology.layers.layer[tier];
  const SwitchLayer& above = topology.layers.layer[tier + 1];
  const bool has_planes = layer.parents < above.switches;
  const std::int64_t first = has_planes ? number * layer.parents : 0;
  const std::int64_t block_above = block_of(above, block * layer.block_gpus);
  for (std::int64_t cable = 0; cable < layer.cables; ++cable) {
    const std::int64_t parent = first + cable * layer.parents / layer.cables;
    add_links(topology, fabric_switch(topology, tier, block, number),
              fabric_switch(topology, tier + 1, block_above, parent), layer.cable_rate,
              layer.cable_latency, bundles);
  }
}

void add_tree(Topology& topology) {
  const BundleNumbers numbers(topology);
  for (std::size_t tier = 0; tier + 1 < topology.layers.count; ++tier) {
    const SwitchLayer& layer = topology.layers.layer[tier];
    for (std::int64_t block = 0; block < layer.blocks; ++block) {
      for (std::int64_t number = 0; number < layer.switches; ++number) {
        const std::int64_t cell = tier == 0 ? block * layer.switches + number : block;
        add_uplinks(topology, tier, block, number, numbers.up(tier, cell));
      }
    }
  }
}

/// One bundle for all that leaves by a block, whichever of its links: a dragonfly needs traffic
/// spread over detours to use them.
std::vector<BundleId> add_outlets(Topology& topology, std::int64_t count) {
  std::vector<BundleId> outlets;
  for (std::int64_t i = 0; i < count; ++i) outlets.push_back(topology.bundles.push_back({}));
  return outlets;
}

void add_group(Topology& topology, std::int64_t group) {
  const SwitchLayer& layer = topology.layers.layer[0];
  const std::vector<BundleId> outlets = add_outlets(topology, layer.switches);
  for (std::int64_t i = 0; i < layer.switches; ++i) {
    for (std::int64_t j = i + 1; j < layer.switches; ++j) {
      add_cable(topology, fabric_switch(topology, 0, group, i),
                fabric_switch(topology, 0, group, j), layer.cable_rate, layer.cable_latency,
                {outlets[place(i)], outlets[place(j)]});
    }
  }
}

void add_dragonfly(Topology& topology) {
  const TopologyShape& shape = topology.shape;
  const SwitchLayers& layers = topology.layers;
  const std::int64_t groups = layers.layer[0].blocks;
  const Tier& tier = shape.tiers[1];
  const double cables = static_cast<double>((groups - 1) * layers.global_cables);
  const BytesPerSecond rate =
      static_cast<double>(tier.gpus) * shape.adapter_rate / (tier.oversubscription * cables);
  const std::vector<BundleId> outlets = add_outlets(topology, groups);
  for (std::int64_t group = 0; group < groups; ++group) {
    add_group(topology, group);
    for (std::int64_t peer = group + 1; peer < groups; ++peer) {
      for (std::int64_t cable = 0; cable < layers.global_cables; ++cable) {
        add_cable(topology,
                  fabric_switch(topology, 0, group, global_port(layers, group, peer, cable)),
                  fabric_switch(topology, 0, peer, global_port(layers, peer, group, cable)), rate,
                  tier.latency, {outlets[place(group)], outlets[place(peer)]});
      }
    }
  }
}

}  // namespace

VertexId gpu_vertex(std::int64_t gpu) { return vertex(gpu); }

VertexId domain_switch(const Topology& topology, std::int64_t domain) {
  return vertex(topology.shape.gpus + domain);
}

VertexId adapter_vertex(const Topology& topology, std::int64_t domain, std::int64_t adapter) {
  const TopologyShape& shape = topology.shape;
  const std::int64_t switches = shape.domain == DomainKind::switched ? domains_of(shape) : 0;
  return vertex(shape.gpus + switches + domain * shape.adapters + adapter);
}

VertexId leaf_vertex(const Topology& topology, std::int64_t domain, std::int64_t adapter) {
  const TopologyShape& shape = topology.shape;
  const SwitchLayer& lowest = topology.layers.layer[0];
  const std::int64_t gpu = domain * shape.domain_gpus;
  const std::int64_t block = block_of(lowest, gpu);
  if (shape.fabric == FabricKind::dragonfly) {
    return fabric_switch(topology, 0, block, gpu % lowest.block_gpus / shape.tiers[0].gpus);
  }
  return fabric_switch(topology, 0, block, leaf_of(lowest, adapter));
}

VertexId adapter_vertex_of(const Topology& topology, std::int64_t gpu) {
  return adapter_vertex(topology, domain_of(topology.shape, gpu), adapter_of(topology.shape, gpu));
}

VertexId leaf_vertex_of(const Topology& topology, std::int64_t gpu) {
  return leaf_vertex(topology, domain_of(topology.shape, gpu), adapter_of(topology.shape, gpu));
}

VertexId fabric_switch(const Topology& topology, std::size_t layer, std::int64_t block,
                       std::int64_t number) {
  const VertexId past_adapters = adapter_vertex(topology, domains_of(topology.shape), 0);
  auto first = static_cast<std::int64_t>(index_of(past_adapters));
  for (std::size_t i = 0; i < layer; ++i) {
    first += topology.layers.layer[i].blocks * topology.layers.layer[i].switches;
  }
  return vertex(first + block * topology.layers.layer[layer].switches + number);
}

std::int64_t domain_of(const TopologyShape& shape, std::int64_t gpu) {
  return gpu / shape.domain_gpus;
}

std::int64_t adapter_of(const TopologyShape& shape, std::int64_t gpu) {
  return gpu % shape.domain_gpus * shape.adapters / shape.domain_gpus;
}

namespace {

Topology begun(const TopologyShape& shape) {
  SIM_ASSERT(!problem_of(shape), problem_of(shape).expected, problem_of(shape).got);
  Topology topology;
  topology.shape = shape;
  topology.layers = switch_layers(shape);
  reserve_bundles(topology);
  return topology;
}

}  // namespace

Topology build_bundles(const TopologyShape& shape) {
  if (shape.fabric == FabricKind::dragonfly || shape.domain != DomainKind::switched) {
    return build_topology(shape);
  }
  Topology topology = begun(shape);
  const std::int64_t alone = shape.gpus % shape.domain_gpus == 1 ? 1 : 0;  // of the last domain
  append_bundles(topology, shape.domain_gpus > 1 ? shape.gpus - alone : 0, shape.domain_rate);
  append_fabric_bundles(topology);
  return topology;
}

Topology build_topology(const TopologyShape& shape) {
  Topology topology = begun(shape);
  reserve_graph(topology);
  add_vertices(topology);
  for (std::int64_t i = 0; i < domains_of(shape); ++i) {
    const std::int64_t first = i * shape.domain_gpus;
    const std::int64_t count = std::min(shape.domain_gpus, shape.gpus - first);
    if (count > 1) add_domain(topology, {i, first, count});
  }
  append_fabric_bundles(topology);
  if (topology.layers.count > 0) {
    add_adapters(topology);
    if (shape.fabric == FabricKind::dragonfly) {
      add_dragonfly(topology);
    } else {
      add_tree(topology);
    }
  }
  index(topology);
  return topology;
}

std::vector<DomainRun> domain_runs(const TopologyShape& shape, std::span<const std::int64_t> gpus) {
  std::vector<DomainRun> runs;
  std::int64_t domain = -1;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::int64_t here = gpus[i] / shape.domain_gpus;
    if (here != domain) runs.push_back({i, 0});
    ++runs.back().size;
    domain = here;
  }
  return runs;
}

}  // namespace cubicbench::sim
