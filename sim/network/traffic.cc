#include "sim/network/traffic.h"

#include "sim/base/check.h"
#include "sim/network/flow_writer.h"

namespace cubicbench::sim {
std::int64_t first_tree_parent(std::int64_t node, std::int64_t nodes) {
  SIM_ASSERT(node >= 0 && node < nodes, node, nodes);
  if (node == 0) return no_parent;
  const std::int64_t lowest = node & -node;
  const std::int64_t parent = (node ^ lowest) | lowest << 1;
  return parent < nodes ? parent : node ^ lowest;
}

std::int64_t second_tree_parent(std::int64_t node, std::int64_t nodes) {
  const bool shifts = nodes % 2 == 1;
  const auto map = [&](std::int64_t from, std::int64_t by) {
    return shifts ? (from + by + nodes) % nodes : nodes - 1 - from;
  };
  const std::int64_t parent = first_tree_parent(map(node, -1), nodes);
  return parent == no_parent ? no_parent : map(parent, 1);
}

bool has_traffic(Collective op, Algorithm algorithm, const Group& group) {
  return parts_of(algorithm).is_way(op, group);
}

std::vector<Flow> traffic(Collective op, Algorithm algorithm, Bytes size, const Group& group) {
  SIM_ASSERT(has_traffic(op, algorithm, group), op, algorithm, group.ranks);
  if (group.ranks < 2) return {};
  FlowWriter writer(op, size, group);
  parts_of(algorithm).flows(writer);
  return writer.take();
}

Volume volume(Collective op, Algorithm algorithm, Bytes size, const Group& group) {
  SIM_ASSERT(has_traffic(op, algorithm, group), op, algorithm, group.ranks);
  if (group.ranks < 2) return {};
  const Multiples of = parts_of(algorithm).moved(op, group);
  return {of.ranks * size, of.switches * size, of.across * size};
}

}  // namespace cubicbench::sim
