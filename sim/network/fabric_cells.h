#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/router.h"

namespace cubicbench::sim {

/// The fabric as cells within cells: what a flow leaves and enters on its way up and down. Level 0
/// has the leaves, or the switches of a dragonfly; the next ones blocks, or its groups. Only levels
/// that have links above them.
class FabricCells {
 public:
  explicit FabricCells(const Router& router);

  std::size_t levels() const { return counts_.size(); }
  std::int64_t count(std::size_t level) const { return counts_[level]; }
  std::int64_t cell(std::size_t level, std::int64_t gpu) const;

  /// Bundles of what leaves a cell and of what enters it. A dragonfly has none for what enters:
  /// that was counted where it left; both are then the first.
  BundlePair bundles(std::size_t level, std::int64_t cell) const;

 private:
  const Router* router_;
  std::vector<std::int64_t> counts_;
};

}  // namespace cubicbench::sim
