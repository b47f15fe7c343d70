// How long the graph of a large cluster takes to build, and a way through it to find.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "sim/network/placement.h"
#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/performance/benches.h"
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

}  // namespace

void register_network() {
  benchmark::RegisterBenchmark("BM_BuildTopology", build)
      ->Arg(1024)
      ->Arg(16'384)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("BM_Routes", find_routes)->Arg(1024)->Arg(16'384);
  benchmark::RegisterBenchmark("BM_TierShares", share_tiers);
}

}  // namespace cubicbench
