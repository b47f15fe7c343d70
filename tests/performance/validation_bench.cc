// How many measured rows one thread maps, simulates and sums up a second.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/catalog/measured_table.h"
#include "datasets/tables/measurement.h"
#include "datasets/validation/validate_tables.h"
#include "results/validation/summary.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

using Tables = std::vector<datasets::MeasuredTable>;

void validate(benchmark::State& state, const Tables& tables) {
  std::int64_t rows = 0;
  for (auto _ : state) {
    const datasets::Validation validation = datasets::validate_tables(tables, {}, 1);
    benchmark::DoNotOptimize(results::summaries_of(validation));
    rows += static_cast<std::int64_t>(validation.rows.size() + validation.skipped.size());
  }
  state.SetItemsProcessed(rows);
}

}  // namespace

void register_validation() {
  const auto tables = std::make_shared<const Tables>(
      Tables{datasets::find_measurements("hf_ultrascale_nanotron_sweep", "benchmark")});
  benchmark::RegisterBenchmark("BM_Validate/hf_ultrascale_nanotron_sweep",
                               [tables](benchmark::State& state) { validate(state, *tables); })
      ->Unit(benchmark::kMillisecond);
}

}  // namespace cubicbench
