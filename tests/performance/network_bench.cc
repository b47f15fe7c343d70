// How long the graph of a large cluster takes to build, a way through it to find, and a collective
// among all of its GPUs to play.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "scenarios/collective/collective_play.h"
#include "sim/network/placement.h"
#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/performance/benches.h"
#include "tests/performance/fixed_loop.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench {
namespace {

void build(benchmark::State& state) {
  const sim::TopologyShape shape = sim::superpod_shape(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(sim::build_topology(shape));
}

void find_routes(benchmark::State& state) {
  const std::int64_t gpus = state.range(0);
  const sim::Topology topology = sim::build_topology(sim::superpod_shape(gpus));
  std::int64_t flow = 0;
  for (auto _ : state) {
    ++flow;
    benchmark::DoNotOptimize(sim::route(
        topology,
        {.from = flow % gpus, .to = flow * 7919 % gpus, .flow = static_cast<std::uint64_t>(flow)}));
  }
  state.SetItemsProcessed(state.iterations());
}

void share_tiers(benchmark::State& state) {
  const sim::TopologyShape shape = sim::llama3_shape(16'384);
  std::int64_t stride = 1;
  for (auto _ : state) {
    stride = stride == 64 ? 1 : 2 * stride;
    benchmark::DoNotOptimize(
        sim::with_tiers({.ranks = 128, .stride = stride}, sim::Placement::packed, shape));
  }
}

void play_collective(benchmark::State& state) {
  const auto cluster = scenarios::read_asked_cluster("llama3-roce", "benchmark");
  const scenarios::AskedGroups asked{.ranks = state.range(0)};
  const auto alone = scenarios::answer(sim::Collective::all_reduce, 0x1p30,
                                       scenarios::group_of(asked, cluster), cluster.network);
  TimedWork work;
  for (auto _ : state) {
    work.begin();
    scenarios::CollectivePlay links(asked, cluster, "benchmark");
    benchmark::DoNotOptimize(links.play(*alone, true));
    work.end(1.0);
  }
  state.counters["loops"] = work.loops_per_item();
}

}  // namespace

void register_network() {
  benchmark::RegisterBenchmark("BM_BuildTopology", build)
      ->Arg(1024)
      ->Arg(16'384)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("BM_Routes", find_routes)->Arg(1024)->Arg(16'384);
  benchmark::RegisterBenchmark("BM_TierShares", share_tiers);
  benchmark::RegisterBenchmark("BM_Collective", play_collective)
      ->Arg(131'072)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace cubicbench
