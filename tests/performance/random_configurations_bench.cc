// How many configurations one thread gives a true value a second where nothing but their space
// joins them, as random search asks; and what one costs that shares nothing with others.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/true_values.h"
#include "tests/performance/benches.h"
#include "tests/performance/fixed_loop.h"

namespace cubicbench {
namespace {

using Draws = std::vector<scenarios::Configuration>;

// Enough to defeat the branch predictor, few enough to stay in cache.
constexpr std::size_t draw_count = 4096;
/// Draws of one run, what is remembered being empty at its beginning.
constexpr std::size_t draws_in_all = 128 * draw_count;

void draw(const scenarios::SearchSpace& space, std::uint64_t first, Draws& draws) {
  for (std::size_t i = 0; i < draws.size(); ++i) space.sample(1, first + i, draws[i]);
}

Draws empty_draws(const scenarios::SearchSpace& space) {
  return Draws(draw_count, scenarios::Configuration(space.size()));
}

/// No draw comes twice but by chance. Drawing is not timed.
void random_configurations(benchmark::State& state, const scenarios::Instance& instance) {
  const scenarios::SearchSpace& space = instance.scenario().space;
  scenarios::TrueValues values(instance);
  Draws draws = empty_draws(space);
  TimedWork work;
  std::uint64_t drawn = 0;
  while (state.KeepRunningBatch(draw_count)) {
    state.PauseTiming();
    draw(space, drawn, draws);
    drawn += draw_count;
    work.begin();
    state.ResumeTiming();
    for (const scenarios::Configuration& configuration : draws) {
      benchmark::DoNotOptimize(values.at(configuration));
    }
    work.end(draw_count);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.counters["loops"] = work.loops_per_item();
}

/// A whole report of each, over and over: what is computed when nothing is remembered.
void evaluate_all(benchmark::State& state, const scenarios::Scenario& scenario,
                  const Draws& configurations) {
  sim::Workspace workspace;
  sim::Plan plan = scenario.settings;
  std::size_t next = 0;
  for (auto _ : state) {
    scenario.space.apply(configurations[next], plan);
    benchmark::DoNotOptimize(scenarios::evaluate(scenario, plan, workspace));
    next = (next + 1) % configurations.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

bool fits(const scenarios::Scenario& scenario, const scenarios::Configuration& configuration,
          sim::Workspace& workspace) {
  sim::Plan plan = scenario.settings;
  scenario.space.apply(configuration, plan);
  return scenarios::evaluate(scenario, plan, workspace).status == sim::StepStatus::ok;
}

void feasible_configurations(benchmark::State& state, const scenarios::Scenario& scenario) {
  Draws draws = empty_draws(scenario.space);
  draw(scenario.space, 0, draws);
  sim::Workspace workspace;
  std::erase_if(draws, [&](const auto& drawn) { return !fits(scenario, drawn, workspace); });
  state.counters["fits"] = static_cast<double>(draws.size()) / static_cast<double>(draw_count);
  if (draws.empty()) {
    state.SkipWithError("no drawn configuration fits");
    return;
  }
  evaluate_all(state, scenario, draws);
}

}  // namespace

void register_random_configurations() {
  for (const std::string& scenario_name : scenarios::model_scenarios()) {
    const scenarios::Instance instance(scenarios::read_scenario(scenario_name), 0);
    benchmark::RegisterBenchmark(
        ("BM_RandomConfigurations/" + scenario_name).c_str(),
        [instance](benchmark::State& state) { random_configurations(state, instance); })
        ->Iterations(draws_in_all);
    benchmark::RegisterBenchmark(("BM_FeasibleConfigurations/" + scenario_name).c_str(),
                                 [instance](benchmark::State& state) {
                                   feasible_configurations(state, instance.scenario());
                                 });
  }
}

}  // namespace cubicbench
