#include "sim/network/routes.h"

#include <algorithm>

#include "sim/base/philox.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

/// A route that grows.
class Walk {
 public:
  Walk(const Topology& topology, std::int64_t from, std::uint64_t flow)
      : topology_(topology), at_(gpu_vertex(from)), flow_(mix(flow)) {}

  /// Over one of the cables to a vertex from `first` to `last`.
  void go(VertexId first, VertexId last) {
    const std::span<const LinkId> ways = links_between(topology_, at_, first, last);
    SIM_ASSERT(!ways.empty(), at_, first, last);
    const LinkId link = ways[ways.size() == 1 ? 0 : choice(ways.size())];
    route_.add(link);
    at_ = topology_.links[link].to;
  }
  void go(VertexId next) {
    if (next != at_) go(next, next);
  }

  /// One of `ways` by the hash of the flow at this vertex.
  std::size_t choice(std::size_t ways) const { return mix(flow_ ^ mix(index_of(at_))) % ways; }

  const Topology& topology() const { return topology_; }
  VertexId at() const { return at_; }
  const Route& route() const { return route_; }

 private:
  const Topology& topology_;
  VertexId at_;
  std::uint64_t flow_;
  Route route_;
};

// ---- inside a domain ---------------------------------------------------------------------------

void walk_cube_mesh(Walk& walk, std::int64_t domain_first, std::int64_t to) {
  const Topology& topology = walk.topology();
  const VertexId target = gpu_vertex(to);
  if (links_between(topology, walk.at(), target, target).empty()) {
    std::array<VertexId, 8> both{};
    std::size_t count = 0;
    const std::int64_t end =
        std::min(domain_first + topology.shape.domain_gpus, topology.shape.gpus);
    for (std::int64_t gpu = domain_first; gpu < end; ++gpu) {
      const VertexId relay = gpu_vertex(gpu);
      if (!links_between(topology, walk.at(), relay, relay).empty() &&
          !links_between(topology, relay, target, target).empty()) {
        both[count++] = relay;
      }
    }
    SIM_ASSERT(count > 0, to);
    walk.go(both[walk.choice(count)]);
  }
  walk.go(target);
}

/// Steps along an axis of `size` from `here` to `there`, negative: backward.
std::int64_t axis_steps(std::int64_t here, std::int64_t there, std::int64_t size, bool wraps) {
  const std::int64_t ahead = there - here;
  if (!wraps) return ahead;
  const std::int64_t round = (ahead + size) % size;
  return 2 * round <= size ? round : round - size;
}

void walk_torus(Walk& walk, std::int64_t domain_first, std::int64_t from, std::int64_t to) {
  const TopologyShape& shape = walk.topology().shape;
  std::int64_t at = from - domain_first;
  const std::int64_t target = to - domain_first;
  std::int64_t stride = 1;
  for (const std::int64_t axis : shape.torus) {
    if (axis < 2) continue;
    std::int64_t here = at / stride % axis;
    const bool wraps = shape.torus_wraps && axis > 2;
    std::int64_t steps = axis_steps(here, target / stride % axis, axis, wraps);
    const std::int64_t sense = steps < 0 ? -1 : 1;
    for (; steps != 0; steps -= sense) {
      const std::int64_t next = (here + sense + axis) % axis;
      at += (next - here) * stride;
      here = next;
      walk.go(gpu_vertex(domain_first + at));
    }
    stride *= axis;
  }
}

void walk_domain(Walk& walk, std::int64_t from, std::int64_t to) {
  const TopologyShape& shape = walk.topology().shape;
  const std::int64_t domain = domain_of(shape, from);
  const std::int64_t first = domain * shape.domain_gpus;
  switch (shape.domain) {
    case DomainKind::switched:
      walk.go(domain_switch(walk.topology(), domain));
      return walk.go(gpu_vertex(to));
    case DomainKind::direct:
      return walk.go(gpu_vertex(to));
    case DomainKind::cube_mesh:
      return walk_cube_mesh(walk, first, to);
    case DomainKind::torus:
      return walk_torus(walk, first, from, to);
  }
}

// ---- between domains ---------------------------------------------------------------------------

/// From the leaf of one adapter to that of another: up until a switch stands above both, and down.
void walk_tree(Walk& walk, std::int64_t from, std::int64_t to) {
  const Topology& topology = walk.topology();
  const auto& layer = topology.layers.layer;
  const auto block_above = [&](std::size_t tier) { return block_of(layer[tier], to); };
  const VertexId leaf = leaf_vertex_of(topology, to);
  if (walk.at() == leaf) return;
  const auto go_to_block = [&](std::size_t tier, std::int64_t block) {
    walk.go(fabric_switch(topology, tier, block, 0),
            fabric_switch(topology, tier, block, layer[tier].switches - 1));
  };
  std::size_t tier = 0;
  do {
    ++tier;
    go_to_block(tier, block_of(layer[tier], from));
  } while (block_of(layer[tier], from) != block_above(tier));
  for (; tier > 1; --tier) go_to_block(tier - 1, block_above(tier - 1));
  walk.go(leaf);
}

void walk_dragonfly(Walk& walk, std::int64_t from, std::int64_t to) {
  const Topology& topology = walk.topology();
  const SwitchLayers& layers = topology.layers;
  const SwitchLayer& groups = layers.layer[0];
  const std::int64_t here = block_of(groups, from);
  const std::int64_t there = block_of(groups, to);
  if (here != there) {
    const auto cable =
        static_cast<std::int64_t>(walk.choice(static_cast<std::size_t>(layers.global_cables)));
    walk.go(fabric_switch(topology, 0, here, global_port(layers, here, there, cable)));
    walk.go(fabric_switch(topology, 0, there, global_port(layers, there, here, cable)));
  }
  walk.go(leaf_vertex_of(topology, to));
}

void walk_fabric(Walk& walk, std::int64_t from, std::int64_t to) {
  const Topology& topology = walk.topology();
  walk.go(adapter_vertex_of(topology, from));
  // An adapter's links go to its GPUs, which come first, and to one switch.
  const VertexId first_switch = fabric_switch(topology, 0, 0, 0);
  walk.go(first_switch, id_at<VertexId>(topology.vertices.size() - 1));
  if (topology.shape.fabric == FabricKind::dragonfly) {
    walk_dragonfly(walk, from, to);
  } else {
    walk_tree(walk, from, to);
  }
  walk.go(adapter_vertex_of(topology, to));
  walk.go(gpu_vertex(to));
}

}  // namespace

Route route(const Topology& topology, const RouteRequest& request) {
  const TopologyShape& shape = topology.shape;
  SIM_ASSERT(request.from >= 0 && request.from < shape.gpus, request.from, shape.gpus);
  SIM_ASSERT(request.to >= 0 && request.to < shape.gpus, request.to, shape.gpus);
  Walk walk(topology, request.from, request.flow);
  if (request.from == request.to) return walk.route();
  if (domain_of(shape, request.from) == domain_of(shape, request.to)) {
    walk_domain(walk, request.from, request.to);
    return walk.route();
  }
  walk_fabric(walk, request.from, request.to);
  return walk.route();
}

}  // namespace cubicbench::sim
