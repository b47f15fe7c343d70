// What a search costs beside its simulations: a launch of a whole search, of a finished one that is
// resumed, of three shards that are merged, and of one that is read again, in evaluations of a
// configuration, which is what no search can do without, and as a share of the searches themselves.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/finished/study_set.h"
#include "search/folder/campaign.h"
#include "search/folder/merge.h"
#include "tests/performance/benches.h"
#include "tests/temporary_folder.h"

namespace cubicbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t trials = 300;
constexpr std::int64_t seeds = 20;
constexpr std::int64_t shards = 3;

/// Seconds of processor time, of all threads.
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

/// What is timed is `work`; what searches before it take is what its share is of.
void time_work(benchmark::State& state, const scenarios::Scenario& scenario, const Work& prepare,
               const Work& work) {
  search::SearchPlan plan;
  plan.scenarios = {scenario};
  plan.searchers = {search::parse_searcher("random", "benchmark")};
  plan.trials = trials;
  plan.seeds = seeds;
  double taken = 0.0;
  double searched = 0.0;
  for (auto _ : state) {
    state.PauseTiming();
    const TemporaryFolder folder;
    const search::SearchRun run{.out = folder / "out", .resume = true, .threads = 1};
    searched -= now();
    if (prepare) prepare(plan, run);
    searched += now();
    state.ResumeTiming();
    taken -= now();
    work(plan, run);
    taken += now();
  }
  const auto launches = static_cast<double>(state.iterations() * trials * seeds);
  state.SetItemsProcessed(static_cast<std::int64_t>(launches));
  state.counters["evaluations_per_launch"] = taken / launches / seconds_an_evaluation(scenario);
  if (prepare) state.counters["share_of_search"] = taken / searched;
}

void search_all(const search::SearchPlan& plan, const search::SearchRun& run) {
  benchmark::DoNotOptimize(search::run_search(plan, run));
}

void read_all(const search::SearchPlan& /*plan*/, const search::SearchRun& run) {
  benchmark::DoNotOptimize(search::read_study_set(std::array{run.out}));
}

fs::path shard_folder(const search::SearchRun& run, std::int64_t index) {
  return run.out.parent_path() / ("shard" + std::to_string(index));
}

void search_shards(const search::SearchPlan& plan, const search::SearchRun& run) {
  for (std::int64_t index = 1; index <= shards; ++index) {
    search::SearchPlan part = plan;
    part.shard = {.index = index, .of = shards};
    search::SearchRun of_part = run;
    of_part.out = shard_folder(run, index);
    search_all(part, of_part);
  }
}

void merge_all(const search::SearchPlan& /*plan*/, const search::SearchRun& run) {
  std::vector<fs::path> folders;
  for (std::int64_t index = 1; index <= shards; ++index) {
    folders.push_back(shard_folder(run, index));
  }
  benchmark::DoNotOptimize(search::merge_searches(folders, run.out));
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
  add("search", nullptr, search_all);
  add("resume", search_all, search_all);
  add("merge", search_shards, merge_all);
  add("read", search_all, read_all);
}

}  // namespace cubicbench
