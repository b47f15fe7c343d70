#include <bit>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/flow_writer.h"

namespace cubicbench::sim {
namespace {

bool is_power_of_two(std::int64_t number) {
  return std::has_single_bit(static_cast<std::uint64_t>(number));
}

/// log2, rounded down.
int levels_of(std::int64_t count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
}

bool is_way(Collective op, const Group& group) {
  return (nodes_of(group) == 1 || is_power_of_two(group.ranks_per_node)) &&
         (op == Collective::all_reduce || (is_half(op) && is_power_of_two(group.ranks)));
}

/// The first p ranks exchange, p the largest power of two up to n; each of the others sends its
/// buffer to one of them and gets the sum back.
Multiples moved(Collective op, const Group& group) {
  const double n = real(group.ranks);
  const bool is_spread = nodes_of(group) > 1;
  if (op != Collective::all_reduce) {
    return {n - 1.0, 0.0, is_spread ? n - real(group.ranks_per_node) : 0.0};
  }
  const int levels = levels_of(group.ranks);
  const double p = real(std::int64_t{1} << levels);
  const double extra = 2.0 * (n - p);
  return {p * levels + extra, 0.0,
          is_spread ? p * (levels - levels_of(group.ranks_per_node)) + extra : 0.0};
}

void flows(FlowWriter& to) {
  const int levels = levels_of(to.n);
  const std::int64_t core = std::int64_t{1} << levels;
  for (std::int64_t rank = core; rank < to.n; ++rank) {
    to.send(rank, rank - core, to.size, 0);
    to.send(rank - core, rank, to.size, levels + 1);
  }
  for (int level = 0; level < levels; ++level) {
    const std::int64_t distance = std::int64_t{1} << level;
    const Bytes bytes =
        to.op == Collective::all_reduce ? to.size : real(distance) / real(to.n) * to.size;
    const int phase = to.op == Collective::reduce_scatter ? levels - 1 - level : level + 1;
    for (std::int64_t rank = 0; rank < core; ++rank) to.send(rank, rank ^ distance, bytes, phase);
  }
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  return CriticalPath{.inside = doublings(call.group.ranks_per_node),
                      .between = doublings(nodes_of(call.group))};
}

}  // namespace

const CollectiveAlgorithm algorithms::recursive_doubling{
    .is_way = is_way, .moved = moved, .flows = flows, .path = path};

}  // namespace cubicbench::sim
