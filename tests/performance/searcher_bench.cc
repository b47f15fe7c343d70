// How many trials a second a searcher takes part in: one item is an ask and a tell. Outcomes cost
// nothing here, a third of them being failures. A study is 300 trials, in BM_LongStudy 1,000, or
// fewer where the space is exhausted before; making its searcher is inside the measurement.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/searchers/registry.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

constexpr std::int64_t trials_of_a_study = 300;
constexpr std::int64_t trials_of_a_long_study = 1'000;

search::ToldTrial outcome(std::int64_t trial, scenarios::Configuration config) {
  search::ToldTrial told{.trial = trial,
                         .config = std::move(config),
                         .state = scenarios::TrialState::complete,
                         .reason = scenarios::Reason::none,
                         .score = {},
                         .over_bytes = {},
                         .cost_gpu_hours = 1.0};
  double score = 0.0;
  for (const std::int64_t index : told.config) score += static_cast<double>(index * index % 5);
  if (trial % 3 == 1) {
    told.state = scenarios::TrialState::fail;
    told.reason = scenarios::Reason::oom_init;
  } else {
    told.score = score;
  }
  return told;
}

void ask_tell(benchmark::State& state, const std::string& name, const scenarios::SearchSpace& space,
              std::int64_t trials) {
  const search::SearcherSpec spec = search::parse_searcher(name, "benchmark");
  std::unique_ptr<search::Searcher> searcher;
  std::uint64_t seed = 0;
  std::int64_t trial = trials;
  for (auto _ : state) {
    std::optional<search::Proposal> proposal;
    if (trial < trials) proposal = searcher->ask();
    if (!proposal) {
      searcher = search::make_searcher(spec, {.space = space, .seed = seed++, .trials = trials});
      trial = 0;
      proposal = searcher->ask();
    }
    search::ToldTrial told = outcome(trial, std::move(proposal->config));
    told.fidelity = proposal->fidelity;
    searcher->tell(told);
    ++trial;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

}  // namespace

void register_searchers() {
  for (const std::string& scenario_name : scenarios::model_scenarios()) {
    const scenarios::SearchSpace space = scenarios::read_scenario(scenario_name).space;
    for (const search::SearcherEntry& searcher : search::searchers()) {
      const std::string name(searcher.name);
      benchmark::RegisterBenchmark(("BM_AskTell/" + name + "/" + scenario_name).c_str(),
                                   [name, space](benchmark::State& state) {
                                     ask_tell(state, name, space, trials_of_a_study);
                                   });
    }
  }
  const scenarios::SearchSpace space = scenarios::read_scenario("ads-73b").space;
  for (const std::string name : {"forest", "tpe", "tpe-multivariate"}) {
    benchmark::RegisterBenchmark(("BM_LongStudy/" + name + "/ads-73b").c_str(),
                                 [name, space](benchmark::State& state) {
                                   ask_tell(state, name, space, trials_of_a_long_study);
                                 })
        ->Iterations(trials_of_a_long_study);
  }
}

}  // namespace cubicbench
