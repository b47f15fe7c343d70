// How long a whole step takes to play: events a second, and time over n log n, which should not
// grow with the GPUs.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/performance/benches.h"
#include "tests/performance/fixed_loop.h"

namespace cubicbench {
namespace {

/// Llama 3 405B with tensor parallelism of 8, 16 stages and 16 micro-batches throughout, so that
/// replicas are what grows: `gpus` / 128 of them. 64 GPUs have eight stages of half the layers.
/// Devices are B200s, so that few can hold it; the work of the engine does not depend on them.
std::vector<std::string> family(std::int64_t gpus) {
  const std::int64_t stages = gpus > 64 ? 16 : 8;
  std::vector<std::string> sets{"cluster.gpus=" + std::to_string(gpus),
                                "global_batch=" + std::to_string(2 * gpus / stages),
                                "cluster.device=b200-sxm"};
  if (stages == 8) sets.insert(sets.end(), {"pipeline_parallel=8", "workload.layers=62"});
  return sets;
}

void play_step(benchmark::State& state, bool fold) {
  const scenarios::Scenario scenario =
      scenarios::read_scenario("llama3-405b", family(state.range(0)));
  sim::EventOptions options;
  options.fold = fold;
  sim::Workspace workspace;
  std::uint64_t events = 0;
  TimedWork work;
  for (auto _ : state) {
    work.begin();
    const sim::EventReport report =
        scenarios::play(scenario, scenario.baseline, options, workspace);
    if (report.step.status != sim::StepStatus::ok) {
      state.SkipWithError("the plan does not fit");
      return;
    }
    events += report.counts.events;
    work.end(fold ? 1.0 : static_cast<double>(report.counts.events));
  }
  state.counters["loops"] = work.loops_per_item();  // of a folded step, or of an event
  const auto gpus = static_cast<double>(state.range(0));
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
  state.counters["s_over_nlogn"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * gpus * std::log2(gpus),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

void register_event_steps() {
  for (const bool fold : {false, true}) {
    const std::string name = fold ? "BM_EventStep/folded" : "BM_EventStep/every_rank";
    auto* const steps = benchmark::RegisterBenchmark(
        name.c_str(), [fold](benchmark::State& state) { play_step(state, fold); });
    for (const int gpus : {64, 128, 256, 1024, 4096, 16'384}) steps->Arg(gpus);
    if (fold) steps->Arg(131'072);
    steps->Unit(benchmark::kMillisecond);
  }
}

}  // namespace cubicbench
