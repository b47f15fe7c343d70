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

/// Collectives of data parallelism, each on the adapters of `ranks` of its own, and beside them
/// messages that start and stop one by one, each on the adapters of two collectives. The fabric is
/// as wide as all adapters.
void messages_beside_collectives(benchmark::State& state) {
  const auto groups = static_cast<std::size_t>(state.range(0));
  const auto width = static_cast<std::size_t>(state.range(1));
  const std::size_t ranks = groups * width;
  LinkSharing sharing = sharing_of(ranks, line_rate * static_cast<std::int64_t>(ranks));
  std::vector<LinkUse> uses;
  for (std::size_t group = 0; group < groups; ++group) {
    uses.assign(1, {{}, static_cast<std::int64_t>(256 * width)});
    for (std::size_t rank = 0; rank < width; ++rank) {
      uses.push_back({bundle_of(group * width + rank), 256});
    }
    sharing.start(sharing.add(uses, line_rate));
  }
  std::vector<FlowSetId> messages;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const LinkUse message[] = {
        {bundle_of(rank), 256}, {bundle_of((rank + width) % ranks), 256}, {}};
    messages.push_back(sharing.add(message, line_rate - static_cast<std::int64_t>(rank)));
  }
  sharing.settle();
  for (auto _ : state) {
    for (const FlowSetId message : messages) {
      sharing.start(message);
      benchmark::DoNotOptimize(sharing.settle().data());
    }
    for (const FlowSetId message : messages) {
      sharing.stop(message);
      benchmark::DoNotOptimize(sharing.settle().data());
    }
  }
  state.SetItemsProcessed(2 * state.iterations() * static_cast<std::int64_t>(ranks));
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
  benchmark::RegisterBenchmark("BM_LinkSharing/messages_beside_collectives",
                               messages_beside_collectives)
      ->Args({16, 128})
      ->Unit(benchmark::kMillisecond);
}

}  // namespace cubicbench
