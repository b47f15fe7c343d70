// How fast flow sets of the event engine start, stop and share bundles.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/network/link_sharing.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

using sim::BundleId;
using sim::FlowSetId;
using sim::LinkSharing;
using sim::LinkUse;

constexpr std::int64_t line_rate = 50'000'000'000;

/// Bundle 0 is a fabric that all share; then one a rank.
LinkSharing sharing_of(std::size_t ranks, std::int64_t fabric) {
  sim::IdVector<BundleId, std::int64_t> capacities(ranks + 1, line_rate);
  capacities[BundleId{0}] = fabric;
  return LinkSharing(capacities);
}

BundleId bundle_of(std::size_t rank) { return sim::id_at<BundleId>(rank + 1); }

/// Messages between neighbours, one a rank, which start and stop one by one. Nobody waits for
/// another.
void start_uncontended(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  LinkSharing sharing = sharing_of(ranks, line_rate * state.range(0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const LinkUse uses[] = {
        {bundle_of(rank), 128}, {bundle_of((rank + 1) % ranks), 128}, {{}, 256}};
    sharing.add(uses, line_rate);
  }
  for (auto _ : state) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      sharing.start(sim::id_at<FlowSetId>(rank));
      benchmark::DoNotOptimize(sharing.settle().data());
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      sharing.stop(sim::id_at<FlowSetId>(rank));
      benchmark::DoNotOptimize(sharing.settle().data());
    }
  }
  state.SetItemsProcessed(2 * state.iterations() * state.range(0));
}

/// `sets` of `width` uses each; bundle i is used by two of them, and all of it by the fabric.
LinkSharing knotted(std::size_t sets, std::size_t width, std::int64_t fabric) {
  const std::size_t ranks = sets * width / 2;
  LinkSharing sharing = sharing_of(ranks, fabric);
  std::vector<LinkUse> uses;
  for (std::size_t set = 0; set < sets; ++set) {
    uses.assign(1, {{}, static_cast<std::int64_t>(256 * width)});
    for (std::size_t use = 0; use < width; ++use) {
      // Half side by side with the next set, half strewn over all.
      const std::size_t at = use % 2 == 0 ? set * width / 2 + use / 2 : (use * sets + set * 7) / 2;
      uses.push_back({bundle_of(at % ranks), 256});
    }
    sharing.add(uses, line_rate - static_cast<std::int64_t>(set));
  }
  return sharing;
}

/// Every start and stop shares all anew: sets joined by bundles that are full.
void share_one_component(benchmark::State& state) {
  const auto sets = static_cast<std::size_t>(state.range(0));
  const auto width = static_cast<std::size_t>(state.range(1));
  LinkSharing sharing = knotted(sets, width, line_rate * state.range(0) * state.range(1) / 3);
  for (std::size_t set = 0; set < sets; ++set) sharing.start(sim::id_at<FlowSetId>(set));
  sharing.settle();
  for (auto _ : state) {
    for (std::size_t set = 0; set < sets; ++set) {
      sharing.stop(sim::id_at<FlowSetId>(set));
      benchmark::DoNotOptimize(sharing.settle().data());
      sharing.start(sim::id_at<FlowSetId>(set));
      benchmark::DoNotOptimize(sharing.settle().data());
    }
  }
  state.SetItemsProcessed(2 * state.iterations() * state.range(0));
}

/// Two tiers without oversubscription, so that the cables of a leaf are full whenever those of all
/// its ranks are: a bundle each way for each rank, and for each leaf of 32.
struct Fabric {
  std::size_t ranks = 0;

  static constexpr std::size_t leaf = 32;

  BundleId at(std::size_t row) const { return sim::id_at<BundleId>(row); }
  BundleId up(std::size_t rank) const { return at(2 * (rank % ranks)); }
  BundleId down(std::size_t rank) const { return at(2 * (rank % ranks) + 1); }
  BundleId leaf_up(std::size_t rank) const { return at(2 * (ranks + rank % ranks / leaf)); }
  BundleId leaf_down(std::size_t rank) const { return at(2 * (ranks + rank % ranks / leaf) + 1); }

  LinkSharing sharing() const {
    sim::IdVector<BundleId, std::int64_t> capacities(2 * (ranks + ranks / leaf), line_rate);
    for (std::size_t rank = 0; rank < ranks; rank += leaf) {
      capacities[leaf_up(rank)] = capacities[leaf_down(rank)] = line_rate * leaf;
    }
    return LinkSharing(capacities);
  }
  void add_flow(std::size_t from, std::size_t to, std::vector<LinkUse>& uses) const {
    for (const BundleId bundle : {up(from), leaf_up(from), leaf_down(to), down(to)}) {
      uses.push_back({bundle, 256});
    }
  }
};

/// Rings of data parallelism, of every `rings`-th rank, and beside them messages from each rank to
/// the next, each of which slows down two rings: `together` of them start and stop at once.
void messages_beside_rings(benchmark::State& state) {
  const auto rings = static_cast<std::size_t>(state.range(0));
  const auto length = static_cast<std::size_t>(state.range(1));
  const auto together = static_cast<std::size_t>(state.range(2));
  const Fabric fabric{rings * length};
  LinkSharing sharing = fabric.sharing();
  std::vector<LinkUse> uses;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    uses.clear();
    for (std::size_t at = 0; at < length; ++at) {
      fabric.add_flow(ring + at * rings, ring + (at + 1) * rings, uses);
    }
    sharing.start(sharing.add(uses, line_rate));
  }
  std::vector<FlowSetId> messages;
  for (std::size_t rank = 0; rank < fabric.ranks; ++rank) {
    uses.clear();
    fabric.add_flow(rank, rank + 1, uses);
    messages.push_back(sharing.add(uses, line_rate));
  }
  sharing.settle();
  const auto each_batch = [&](const auto& change) {
    for (std::size_t next = 0; next < messages.size();) {
      for (std::size_t end = next + together; next < end; ++next) change(messages[next]);
      benchmark::DoNotOptimize(sharing.settle().data());
    }
  };
  for (auto _ : state) {
    each_batch([&](FlowSetId message) { sharing.start(message); });
    each_batch([&](FlowSetId message) { sharing.stop(message); });
  }
  state.SetItemsProcessed(2 * state.iterations() * static_cast<std::int64_t>(fabric.ranks));
}

}  // namespace

void register_event_engine() {
  benchmark::RegisterBenchmark("BM_LinkSharing/uncontended", start_uncontended)
      ->Arg(1024)
      ->Arg(16'384);
  benchmark::RegisterBenchmark("BM_LinkSharing/one_component", share_one_component)
      ->Args({128, 1000})
      ->Args({128, 10})
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("BM_LinkSharing/messages_beside_rings", messages_beside_rings)
      ->Args({16, 128, 1})
      ->Args({128, 128, 1})
      ->Args({128, 128, 128 * 128})
      ->Unit(benchmark::kMillisecond);
}

}  // namespace cubicbench
