#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/network/topology.h"

namespace cubicbench::sim {

/// Which bundle is which: numbers follow from the shape, without a look at cables. In order those
/// inside domains, from GPUs to adapters, from adapters to leaves, and in a tree from leaves, then
/// from the blocks of each further tier, to the tier above. Whichever switch of a block a flow
/// passes, its bundles are the same.
class BundleNumbers {
 public:
  /// Of what build_topology() or build_bundles() made; of a dragonfly those up to the leaves.
  explicit BundleNumbers(const Topology& topology);

  /// Of GPU `gpu` to the switch of its domain (DomainKind::switched).
  static BundlePair to_switch(std::int64_t gpu) { return pair(0, narrow(gpu)); }
  BundlePair to_adapter(std::int64_t gpu) const { return pair(adapters_, narrow(gpu)); }
  /// Of adapter `adapter`, counted over all domains, to its leaf.
  BundlePair leaf_cable(std::int64_t adapter) const { return pair(leaves_, narrow(adapter)); }
  /// Of the adapter of GPU `gpu`.
  BundlePair to_leaf(std::int64_t gpu) const { return pair(leaves_, adapter_of(narrow(gpu))); }
  /// Of leaf `cell` (tier 0), counted over all blocks, or of block `cell`.
  BundlePair up(std::size_t tier, std::int64_t cell) const {
    return pair(uplinks_[tier], narrow(cell));
  }

  /// Calls `visit` with each bundle from GPU `from` to GPU `to` of another domain, in order: up
  /// until a block is above both, and down. Of a tree.
  template <typename Visit>
  void each(std::int64_t from, std::int64_t to, Visit visit) const {
    const Number sender = narrow(from);
    const Number receiver = narrow(to);
    visit(pair(adapters_, sender).there);
    visit(pair(leaves_, adapter_of(sender)).there);
    climb(sender, receiver, visit);
    visit(pair(leaves_, adapter_of(receiver)).back);
    visit(pair(adapters_, receiver).back);
  }

 private:
  using Number = std::uint32_t;  // which divides faster than a wider one

  static Number narrow(std::int64_t number) { return static_cast<Number>(number); }
  static BundlePair pair(Number first, Number row) {
    return {static_cast<BundleId>(first + 2 * row), static_cast<BundleId>(first + 2 * row + 1)};
  }
  Number adapter_of(Number gpu) const {
    if (domain_adapters_ == domain_gpus_) return gpu;
    const std::uint64_t place = gpu % domain_gpus_;
    return gpu / domain_gpus_ * domain_adapters_ +
           static_cast<Number>(place * domain_adapters_ / domain_gpus_);
  }
  Number leaf_of(Number gpu) const {
    const Number block = gpu / block_gpus_[0];
    return rails_ == 1 ? block : block * rails_ + adapter_of(gpu) % domain_adapters_;
  }

  template <typename Visit>
  void climb(Number from, Number to, Visit& visit) const {
    std::array<Number, switch_layers_max> enters;
    Number leaves = leaf_of(from);
    enters[0] = leaf_of(to);
    if (leaves == enters[0]) return;
    std::size_t tier = 0;
    for (;;) {
      visit(pair(uplinks_[tier], leaves).there);
      leaves = from / block_gpus_[tier + 1];
      const Number above = to / block_gpus_[tier + 1];
      if (leaves == above) break;
      enters[++tier] = above;
    }
    do visit(pair(uplinks_[tier], enters[tier]).back);
    while (tier-- > 0);
  }

  Number domain_gpus_;
  Number domain_adapters_;
  Number rails_ = 1;  ///< leaves of a block
  std::array<Number, switch_layers_max> block_gpus_{};
  // The first of each kind.
  Number adapters_;
  Number leaves_;
  std::array<Number, switch_layers_max> uplinks_{};
};

}  // namespace cubicbench::sim
