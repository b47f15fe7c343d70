// How many configurations one thread gives a true value a second where it walks through a space in
// the order of its numbers, from several places of it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/space_walk.h"
#include "scenarios/truth/true_values.h"
#include "tests/performance/benches.h"
#include "tests/performance/fixed_loop.h"

namespace cubicbench {
namespace {

constexpr std::uint64_t places = 8;
constexpr std::uint64_t walked = 1U << 18;  ///< configurations from each place on
constexpr std::uint64_t piece = 1U << 14;   ///< of them, timed at once

/// Where the walk goes on after its place `place` is done.
std::uint64_t begin_of(std::uint64_t place, std::uint64_t count) {
  return (count - std::min(walked, count)) / (places - 1) * (place % places);
}

/// What is timed is a step of the walk, a configuration becoming a plan and a value, and what is
/// not yet remembered at a new place.
void enumerated_configurations(benchmark::State& state, const scenarios::Instance& instance) {
  const scenarios::SpaceDiagram& diagram = instance.scenario().space.diagram();
  const std::uint64_t count = instance.scenario().space.count();
  scenarios::TrueValues values(instance);
  scenarios::SpaceWalk walk(diagram, 0);
  std::uint64_t place = 0;
  std::uint64_t steps = 0;
  TimedWork work;
  while (state.KeepRunningBatch(piece)) {
    state.PauseTiming();
    work.begin();
    state.ResumeTiming();
    for (std::uint64_t i = 0; i < piece; ++i) {
      benchmark::DoNotOptimize(values.at(walk.configuration()));
      if (++steps % walked == 0 || !walk.advance()) {
        walk = scenarios::SpaceWalk(diagram, begin_of(++place, count));
      }
    }
    work.end(piece);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.counters["loops"] = work.loops_per_item();
}

}  // namespace

void register_enumerated_configurations() {
  for (const std::string& name : scenarios::model_scenarios()) {
    const scenarios::Instance instance(scenarios::read_scenario(name), 0);
    benchmark::RegisterBenchmark(
        ("BM_EnumeratedConfigurations/" + name).c_str(),
        [instance](benchmark::State& state) { enumerated_configurations(state, instance); });
  }
}

}  // namespace cubicbench
