// How many configurations one thread evaluates a second, lowering included. The draws are made
// beforehand, so that what is timed is a configuration becoming a plan, a program and a report.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

// Enough to defeat the branch predictor, few enough to stay in cache.
constexpr std::size_t draw_count = 4096;

std::vector<scenarios::Configuration> draw(const scenarios::SearchSpace& space) {
  std::vector<scenarios::Configuration> drawn(draw_count, scenarios::Configuration(space.size()));
  for (std::size_t i = 0; i < drawn.size(); ++i) space.sample(1, i, drawn[i]);
  return drawn;
}

void evaluate_all(benchmark::State& state, const scenarios::Scenario& scenario,
                  const std::vector<scenarios::Configuration>& configurations) {
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

std::vector<scenarios::Configuration> those_that_fit(
    const scenarios::Scenario& scenario, const std::vector<scenarios::Configuration>& drawn) {
  sim::Workspace workspace;
  sim::Plan plan = scenario.settings;
  std::vector<scenarios::Configuration> fitting;
  for (const scenarios::Configuration& configuration : drawn) {
    scenario.space.apply(configuration, plan);
    if (scenarios::evaluate(scenario, plan, workspace).status == sim::StepStatus::ok) {
      fitting.push_back(configuration);
    }
  }
  return fitting;
}

void random_configurations(benchmark::State& state, const scenarios::Scenario& scenario) {
  const std::vector<scenarios::Configuration> drawn = draw(scenario.space);
  evaluate_all(state, scenario, drawn);
  state.counters["fits"] = static_cast<double>(those_that_fit(scenario, drawn).size()) /
                           static_cast<double>(drawn.size());
}

void feasible_configurations(benchmark::State& state, const scenarios::Scenario& scenario) {
  const std::vector<scenarios::Configuration> fitting =
      those_that_fit(scenario, draw(scenario.space));
  if (fitting.empty()) {
    state.SkipWithError("no drawn configuration fits");
    return;
  }
  evaluate_all(state, scenario, fitting);
}

}  // namespace

void register_random_configurations() {
  for (const std::string& scenario_name : scenarios::model_scenarios()) {
    const scenarios::Scenario scenario = scenarios::read_scenario(scenario_name);
    benchmark::RegisterBenchmark(
        ("BM_RandomConfigurations/" + scenario_name).c_str(),
        [scenario](benchmark::State& state) { random_configurations(state, scenario); });
    benchmark::RegisterBenchmark(
        ("BM_FeasibleConfigurations/" + scenario_name).c_str(),
        [scenario](benchmark::State& state) { feasible_configurations(state, scenario); });
  }
}

}  // namespace cubicbench
