#include "sim/network/pair_load.h"

#include <algorithm>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/fabric_cells.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

using Gpus = std::span<const std::int64_t>;
using Counts = std::vector<std::int64_t>;

std::size_t row(std::int64_t number) { return static_cast<std::size_t>(number); }

/// Both ways between a GPU and the fabric.
void add_adapter(const Router& router, std::int64_t gpu, double bytes, BundleLoads& loads) {
  const Topology& topology = router.topology();
  const VertexId adapter = adapter_vertex_of(topology, gpu);
  const VertexId leaf = leaf_vertex_of(topology, gpu);
  loads.add(router.between(gpu_vertex(gpu), adapter), bytes);
  loads.add(router.between(adapter, leaf), bytes);
  loads.add(router.between(leaf, adapter), bytes);
  loads.add(router.between(adapter, gpu_vertex(gpu)), bytes);
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
  if (router.topology().shape.fabric == FabricKind::dragonfly) {
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
