#include <algorithm>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/network/domain_load.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

using Gpus = std::span<const std::int64_t>;
using Counts = std::vector<std::int64_t>;

std::size_t row(std::int64_t number) { return static_cast<std::size_t>(number); }

bool is_dragonfly(const Topology& topology) {
  return topology.shape.fabric == FabricKind::dragonfly;
}

/// The fabric as cells within cells: what a flow leaves and enters on its way up and down. Level 0
/// has the leaves, or the switches of a dragonfly; the next ones blocks, or its groups. Only levels
/// that have links above them.
class FabricCells {
 public:
  explicit FabricCells(const Router& router) : router_(&router) {
    const Topology& topology = router.topology();
    const SwitchLayers& layers = topology.layers;
    if (layers.count == 0) return;
    const SwitchLayer& lowest = layers.layer[0];
    if (is_dragonfly(topology)) {
      counts_.push_back(lowest.blocks * lowest.switches);
      if (lowest.blocks > 1) counts_.push_back(lowest.blocks);
      return;
    }
    for (std::size_t level = 0; level + 1 < layers.count; ++level) {
      counts_.push_back(cells_of(layers, level));
    }
  }

  std::size_t levels() const { return counts_.size(); }
  std::int64_t count(std::size_t level) const { return counts_[level]; }
  std::int64_t cell(std::size_t level, std::int64_t gpu) const {
    const Topology& topology = router_->topology();
    const SwitchLayer& lowest = topology.layers.layer[0];
    if (level == 0) {
      return static_cast<std::int64_t>(index_of(leaf_vertex_of(topology, gpu)) -
                                       index_of(fabric_switch(topology, 0, 0, 0)));
    }
    return block_of(is_dragonfly(topology) ? lowest : topology.layers.layer[level], gpu);
  }

  /// Bundles of what leaves a cell and of what enters it. A dragonfly has none for what enters:
  /// that was counted where it left; both are then the first.
  BundlePair bundles(std::size_t level, std::int64_t cell) const {
    const Topology& topology = router_->topology();
    if (!is_dragonfly(topology)) return router_->numbers().up(level, cell);
    const SwitchLayers& layers = topology.layers;
    const SwitchLayer& lowest = layers.layer[0];
    if (level == 1) {
      const std::int64_t peer = cell == 0 ? 1 : 0;
      const BundleId out =
          router_->between(fabric_switch(topology, 0, cell, global_port(layers, cell, peer, 0)),
                           fabric_switch(topology, 0, peer, global_port(layers, peer, cell, 0)));
      return {out, out};
    }
    const std::int64_t group = cell / lowest.switches;
    const std::int64_t number = cell % lowest.switches;
    const BundleId out = router_->between(fabric_switch(topology, 0, group, number),
                                          fabric_switch(topology, 0, group, number == 0 ? 1 : 0));
    return {out, out};
  }

 private:
  const Router* router_;
  std::vector<std::int64_t> counts_;
};

/// Both ways between a GPU and the fabric.
void add_adapter(const Router& router, std::int64_t gpu, double bytes, BundleLoads& loads) {
  for (const BundlePair bundles :
       {router.numbers().to_adapter(gpu), router.numbers().to_leaf(gpu)}) {
    loads.add(bundles.there, bytes);
    loads.add(bundles.back, bytes);
  }
}

Counts members_of_cells(const FabricCells& cells, std::size_t level, Gpus gpus) {
  Counts counts(row(cells.count(level)));
  for (const std::int64_t gpu : gpus) ++counts[row(cells.cell(level, gpu))];
  return counts;
}

/// Tells `note` the leaf of every GPU and how many of its domain's members hang below that leaf.
template <typename Note>
void over_leaves(const FabricCells& cells, Gpus gpus, const std::vector<DomainRun>& runs,
                 Note note) {
  Counts here(row(cells.count(0)));
  for (const DomainRun& run : runs) {
    const Gpus members = gpus.subspan(run.first, run.size);
    for (const std::int64_t gpu : members) ++here[row(cells.cell(0, gpu))];
    for (const std::int64_t gpu : members) {
      const std::size_t leaf = row(cells.cell(0, gpu));
      note(leaf, here[leaf], std::ssize(members));
    }
    for (const std::int64_t gpu : members) here[row(cells.cell(0, gpu))] = 0;
  }
}

/// Pairs of one domain whose members hang below different leaves, by the leaf of the sender.
Counts near_pairs_of_leaves(const FabricCells& cells, Gpus gpus,
                            const std::vector<DomainRun>& runs) {
  Counts pairs(row(cells.count(0)));
  over_leaves(cells, gpus, runs, [&](std::size_t leaf, std::int64_t here, std::int64_t members) {
    pairs[leaf] += members - here;
  });
  return pairs;
}

/// Members of one domain below each leaf, at most.
Counts streams_of_leaves(const FabricCells& cells, Gpus gpus, const std::vector<DomainRun>& runs) {
  Counts most(row(cells.count(0)));
  over_leaves(cells, gpus, runs, [&](std::size_t leaf, std::int64_t here, std::int64_t) {
    most[leaf] = std::max(most[leaf], here);
  });
  return most;
}

/// Both ways between a cell and what is above it.
void add_uplink(const FabricCells& cells, std::size_t level, std::size_t cell, double bytes,
                BundleLoads& loads) {
  const BundlePair bundles = cells.bundles(level, static_cast<std::int64_t>(cell));
  loads.add(bundles.there, bytes);
  loads.add(bundles.back, bytes);
}

void add_tree(const FabricCells& cells, Gpus gpus, const std::vector<DomainRun>& runs, double bytes,
              BundleLoads& loads) {
  for (std::size_t level = 0; level < cells.levels(); ++level) {
    const Counts members = members_of_cells(cells, level, gpus);
    const Counts near =
        level == 0 ? near_pairs_of_leaves(cells, gpus, runs) : Counts(members.size());
    for (std::size_t cell = 0; cell < members.size(); ++cell) {
      const std::int64_t pairs = members[cell] * (std::ssize(gpus) - members[cell]) - near[cell];
      if (pairs == 0) continue;
      add_uplink(cells, level, cell, real(pairs) * bytes, loads);
    }
  }
}

/// A dragonfly whose flows between two groups take all cables that join them alike.
class Dragonfly {
 public:
  Dragonfly(const Router& router, const FabricCells& cells, Gpus gpus, double bytes,
            BundleLoads& loads)
      : cells_(cells),
        layers_(router.topology().layers),
        bytes_(bytes),
        loads_(loads),
        on_switch_(members_of_cells(cells, 0, gpus)),
        in_group_(row(layers_.layer[0].blocks)) {
    for (std::size_t i = 0; i < on_switch_.size(); ++i)
      in_group_[i / row(switches())] += on_switch_[i];
  }

  void add() {
    for (std::int64_t group = 0; group < std::ssize(in_group_); ++group) {
      if (in_group_[row(group)] == 0) continue;
      add_inside(group);
      for (std::int64_t peer = 0; peer < std::ssize(in_group_); ++peer) {
        if (peer != group && in_group_[row(peer)] > 0) add_between(group, peer);
      }
    }
  }

 private:
  std::int64_t switches() const { return layers_.layer[0].switches; }
  std::int64_t members(std::int64_t group, std::int64_t number) const {
    return on_switch_[row(group * switches() + number)];
  }

  void leave(std::int64_t group, std::int64_t number, double pairs) {
    if (pairs <= 0.0) return;
    loads_.add(cells_.bundles(0, group * switches() + number).there, pairs * bytes_);
  }

  void add_inside(std::int64_t group) {
    const std::int64_t all = in_group_[row(group)];
    for (std::int64_t i = 0; i < switches(); ++i) {
      leave(group, i, real(members(group, i) * (all - members(group, i))));
    }
  }

  /// From its switch to the one with the cable, over it, and to the receiver's.
  void add_between(std::int64_t group, std::int64_t peer) {
    const double cables = real(layers_.global_cables);
    const std::int64_t here = in_group_[row(group)];
    const std::int64_t there = in_group_[row(peer)];
    loads_.add(cells_.bundles(1, group).there, real(here * there) * bytes_);
    std::vector<double> ports(row(switches()));
    for (std::int64_t cable = 0; cable < layers_.global_cables; ++cable) {
      ports[row(global_port(layers_, group, peer, cable))] += 1.0 / cables;
      const std::int64_t in = global_port(layers_, peer, group, cable);
      leave(peer, in, real(here * (there - members(peer, in))) / cables);
    }
    for (std::int64_t i = 0; i < switches(); ++i) {
      leave(group, i, real(members(group, i) * there) * (1.0 - ports[row(i)]));
    }
  }

  const FabricCells& cells_;
  const SwitchLayers& layers_;
  double bytes_;
  BundleLoads& loads_;
  Counts on_switch_;
  Counts in_group_;
};

}  // namespace

void add_pairs_between_domains(const Router& router, Gpus gpus, double bytes, BundleLoads& loads) {
  const std::vector<DomainRun> runs = domain_runs(router.topology().shape, gpus);
  if (runs.size() < 2) return;
  for (const DomainRun& run : runs) {
    const double far = real(std::ssize(gpus) - static_cast<std::int64_t>(run.size));
    for (const std::int64_t gpu : gpus.subspan(run.first, run.size)) {
      add_adapter(router, gpu, far * bytes, loads);
    }
  }
  const FabricCells cells(router);
  if (is_dragonfly(router.topology())) {
    Dragonfly(router, cells, gpus, bytes, loads).add();
  } else {
    add_tree(cells, gpus, runs, bytes, loads);
  }
}

void add_reduction_in_fabric(const Router& router, Gpus gpus, double bytes, BundleLoads& loads) {
  const std::vector<DomainRun> runs = domain_runs(router.topology().shape, gpus);
  if (runs.size() < 2) return;
  for (const std::int64_t gpu : gpus) add_adapter(router, gpu, bytes, loads);
  const FabricCells cells(router);
  std::size_t widest = 0;
  for (const DomainRun& run : runs) widest = std::max(widest, run.size);
  for (std::size_t level = 0; level < cells.levels(); ++level) {
    const Counts members = members_of_cells(cells, level, gpus);
    const Counts streams = level == 0 ? streams_of_leaves(cells, gpus, runs)
                                      : Counts(members.size(), static_cast<std::int64_t>(widest));
    for (std::size_t cell = 0; cell < members.size(); ++cell) {
      if (members[cell] == 0 || members[cell] == std::ssize(gpus)) continue;
      add_uplink(cells, level, cell, real(streams[cell]) * bytes, loads);
    }
  }
}

}  // namespace cubicbench::sim
