// What a search costs beside its simulations: a launch of a whole search, of a finished one that is
// resumed, and of one that is read again, in evaluations of a configuration, which is what no
// search can do without.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/finished/study_set.h"
#include "search/folder/campaign.h"
#include "tests/performance/benches.h"
#include "tests/temporary_folder.h"

namespace cubicbench {
namespace {

constexpr std::int64_t trials = 300;
constexpr std::int64_t seeds = 20;

/// Seconds of processor time.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_an_evaluation(const scenarios::Scenario& scenario) {
  constexpr std::uint64_t evaluations = 20'000;
  sim::Workspace workspace;
  sim::Plan plan = scenario.settings;
  scenarios::Configuration configuration(scenario.space.size());
  double taken = 0.0;
  for (std::uint64_t draw = 0; draw < evaluations; ++draw) {
    scenario.space.sample(1, draw, configuration);
    scenario.space.apply(configuration, plan);
    if (draw == evaluations / 10) taken = -now();  // warm from here on
    benchmark::DoNotOptimize(scenarios::evaluate(scenario, plan, workspace));
  }
  return (taken + now()) / (0.9 * evaluations);
}

using Work = std::function<void(const search::SearchPlan&, const search::SearchRun&)>;

/// `prepare` is not timed.
void time_work(benchmark::State& state, const scenarios::Scenario& scenario, const Work& prepare,
               const Work& work) {
  search::SearchPlan plan;
  plan.scenarios = {scenario};
  plan.searchers = {search::parse_searcher("random", "benchmark")};
  plan.trials = trials;
  plan.seeds = seeds;
  double taken = 0.0;
  for (auto _ : state) {
    state.PauseTiming();
    const TemporaryFolder folder;
    const search::SearchRun run{.out = folder / "out", .resume = true, .threads = 1};
    prepare(plan, run);
    state.ResumeTiming();
    taken -= now();
    work(plan, run);
    taken += now();
  }
  const auto launches = static_cast<double>(state.iterations() * trials * seeds);
  state.SetItemsProcessed(static_cast<std::int64_t>(launches));
  state.counters["evaluations_per_launch"] = taken / launches / seconds_an_evaluation(scenario);
}

void search_all(const search::SearchPlan& plan, const search::SearchRun& run) {
  benchmark::DoNotOptimize(search::run_search(plan, run));
}

void read_all(const search::SearchPlan& /*plan*/, const search::SearchRun& run) {
  benchmark::DoNotOptimize(search::read_study_set(std::array{run.out}));
}

}  // namespace

void register_search_costs() {
  const scenarios::Scenario scenario = scenarios::read_scenario("llama3-405b");
  const auto add = [&](const std::string& name, const Work& prepare, const Work& work) {
    benchmark::RegisterBenchmark(("BM_SearchCost/" + name + "/" + scenario.name).c_str(),
                                 [scenario, prepare, work](benchmark::State& state) {
                                   time_work(state, scenario, prepare, work);
                                 })
        ->Unit(benchmark::kMillisecond);
  };
  add(
      "search", [](const auto&, const auto&) {}, search_all);
  add("resume", search_all, search_all);
  add("read", search_all, read_all);
}

}  // namespace cubicbench
