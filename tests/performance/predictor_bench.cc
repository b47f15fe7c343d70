// How long every predictor takes to learn from 150 jobs of the nanotron sweep, and to predict the
// others: fits and predicted jobs a second.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/jobs/split.h"
#include "datasets/tables/measurement.h"
#include "predictor/learners/registry.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

constexpr std::int64_t training_jobs = 150;

struct Table {
  datasets::Dataset data;
  datasets::Split split;
};

Table nanotron_sweep() {
  Table table;
  table.data = datasets::measured_dataset(
      datasets::find_measurements("hf_ultrascale_nanotron_sweep", "benchmark"),
      datasets::FeatureSet::launch);
  table.split = datasets::split_of(table.data, datasets::timed_jobs(table.data),
                                   datasets::SplitKind::random, training_jobs, 0, "benchmark");
  return table;
}

void fit(benchmark::State& state, const predictor::PredictorEntry& entry, const Table& table) {
  std::uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(entry.fit(table.data, table.split.train, seed++));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void predict(benchmark::State& state, const predictor::PredictorEntry& entry, const Table& table) {
  const auto model = entry.fit(table.data, table.split.train, 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(model->predict(table.data, table.split.test));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(table.split.test.size()));
}

}  // namespace

void register_predictors() {
  const auto table = std::make_shared<const Table>(nanotron_sweep());
  for (const predictor::PredictorEntry& entry : predictor::predictors()) {
    const std::string name(entry.name);
    benchmark::RegisterBenchmark(("BM_Fit/" + name).c_str(), [entry,
                                                              table](benchmark::State& state) {
      fit(state, entry, *table);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("BM_Predict/" + name).c_str(), [entry,
                                                                  table](benchmark::State& state) {
      predict(state, entry, *table);
    })->Unit(benchmark::kMillisecond);
  }
}

}  // namespace cubicbench
