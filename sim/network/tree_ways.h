#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/network/topology.h"

namespace cubicbench::sim {

/// The ways between domains that a tree of switches joins, as bundles: up from a GPU until a block
/// is above both, and down. Whichever switch of a block a flow passes, its bundles are the same, so
/// that the steps above a leaf are kept once for all GPUs below it. Threads may share it.
class TreeWays {
 public:
  /// Of the fabric of `topology`; none where it has one domain or is a dragonfly.
  explicit TreeWays(const Topology& topology);

  /// Calls `visit` with each bundle from GPU `from` to GPU `to` of another domain, in order.
  template <typename Visit>
  void each(std::int64_t from, std::int64_t to, Visit visit) const {
    const Gpu& sender = gpus_[static_cast<std::size_t>(from)];
    const Gpu& receiver = gpus_[static_cast<std::size_t>(to)];
    visit(sender.to_adapter.up);
    visit(sender.to_leaf.up);
    if (sender.leaf != receiver.leaf) {
      const Climb* const up = climbs_.data() + sender.leaf * tiers_;
      const Climb* const down = climbs_.data() + receiver.leaf * tiers_;
      std::size_t tier = 0;
      for (; up[tier].block != down[tier].block; ++tier) visit(up[tier].step.up);
      visit(up[tier].step.up);
      visit(down[tier].step.down);
      while (tier-- > 0) visit(down[tier].step.down);
    }
    visit(receiver.to_leaf.down);
    visit(receiver.to_adapter.down);
  }

 private:
  /// The bundles of one step up, and back.
  struct Step {
    BundleId up{};
    BundleId down{};
  };
  struct Gpu {
    Step to_adapter;
    Step to_leaf;
    std::uint32_t leaf = 0;  ///< number among the leaves
  };
  /// To a block of the tier above.
  struct Climb {
    Step step;
    std::int64_t block = 0;
  };

  static Step step(const Topology& topology, VertexId from, VertexId first, VertexId last);

  std::size_t tiers_ = 0;  ///< above the leaves
  std::vector<Gpu> gpus_;
  std::vector<Climb> climbs_;  ///< of every leaf, tier after tier
};

}  // namespace cubicbench::sim
