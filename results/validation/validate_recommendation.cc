#include "datasets/mapping/mapped_recommendation.h"
#include "results/validation/row_keys.h"
#include "results/validation/simulated_run.h"
#include "results/validation/validate_row.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::results {

RowOutcome validate_row(const datasets::RecommendationMeasurement& measured, const TableName& table,
                        sim::Workspace& workspace) {
  const datasets::MappedRun mapped = datasets::map_recommendation(measured);
  const SimulatedRun run = simulate_run(mapped, workspace);
  ValidatedRow row;
  row.kind = RowKind::recommendation;
  row.id = measured.id;
  row.source = table.source;
  row.file = table.file;
  row.family = family_of(measured);
  if (!run.refusal.empty()) return skipped_row(std::move(row), run.refusal);
  const scenarios::Scenario& scenario = mapped.run->scenario;
  row.group = group_of(measured);
  row.assumed = mapped.run->assumed;
  write_verdict(run, row);
  if (measured.samples_per_s) {
    const double samples = scenarios::samples_per_step(scenario, scenario.baseline);
    const double stated =
        measured.global_batch ? static_cast<double>(*measured.global_batch) : samples;
    write_times(run,
                {.measured = stated / *measured.samples_per_s,
                 .amount = samples,
                 .throughput_measured = measured.samples_per_s},
                row);
  }
  return row;
}

}  // namespace cubicbench::results
