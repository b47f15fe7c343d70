#include <bit>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/flow_writer.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group& group) { return group.ranks_per_node == 1 && is_half(op); }

Multiples moved(Collective, const Group& group) {
  const double others = real(group.ranks) - 1.0;
  return {others, 0.0, others};
}

/// A gather tells far ones first; rank i sends its parts at offsets 0, 2d, 4d, .. to rank i + d.
void flows(FlowWriter& to) {
  const std::int64_t n = to.n;
  const Bytes part = to.size / real(n);
  int phase = 0;
  const auto levels = std::bit_width(static_cast<std::uint64_t>(n - 1));
  for (int level = static_cast<int>(levels) - 1; level >= 0; --level, ++phase) {
    const std::int64_t distance = std::int64_t{1} << level;
    const std::int64_t parts = (n - distance + 2 * distance - 1) / (2 * distance);
    for (std::int64_t rank = 0; rank < n; ++rank) {
      const std::int64_t peer = (rank + distance) % n;
      if (to.op == Collective::all_gather) {
        to.send(rank, peer, real(parts) * part, phase);
      } else {
        to.send(peer, rank, real(parts) * part, static_cast<int>(levels) - 1 - phase);
      }
    }
  }
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  return CriticalPath{.between = doublings(call.group.ranks)};
}

}  // namespace

const CollectiveAlgorithm algorithms::pat{
    .is_way = is_way, .moved = moved, .flows = flows, .path = path};

}  // namespace cubicbench::sim
