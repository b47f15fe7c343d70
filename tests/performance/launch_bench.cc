// What a launch costs with its searcher inside and outside: random search in this process, and as a
// program over pipes. One item is a launch of a whole search, with journal and truth written.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/campaign.h"
#include "tests/performance/benches.h"
#include "tests/temporary_folder.h"

namespace cubicbench {
namespace {

constexpr std::int64_t launches = 2'000;

void search_whole(benchmark::State& state, const scenarios::Scenario& scenario,
                  const std::string& searcher) {
  search::SearchPlan plan;
  plan.scenarios = {scenario};
  plan.searchers = {search::parse_searcher(searcher, "benchmark")};
  plan.trials = launches;
  for (auto _ : state) {
    const TemporaryFolder folder;
    search::SearchRun run;
    run.out = folder / "out";
    run.threads = 1;
    search::run_search(plan, run);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * launches);
  state.counters["us_per_launch"] =
      benchmark::Counter(static_cast<double>(state.iterations() * launches) * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

void register_launches() {
  const auto add = [](const std::string& name, const std::string& searcher) {
    const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
    benchmark::RegisterBenchmark(
        ("BM_Launch/" + name + "/" + scenario.name).c_str(),
        [scenario, searcher](benchmark::State& state) { search_whole(state, scenario, searcher); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  add("inside", "random");
  add("pipes", "external:" CUBICBENCH_BINARY_DIR "/bin/random_search_client");
}

}  // namespace cubicbench
