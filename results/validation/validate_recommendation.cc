#include "datasets/mapping/mapped_recommendation.h"
#include "results/validation/row_keys.h"
#include "results/validation/simulated_run.h"
#include "results/validation/validate_row.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::results {

RowOutcome validate_row(const datasets::RecommendationMeasurement& measured, const TableName& table,
                        sim::Workspace& workspace) {
  const datasets::MappedRun mapped = datasets::map_recommendation(measured);
  std::string reason = mapped.reason;
  SimulatedRun run;
  if (mapped.run) {
    run = simulate_run(mapped.run->scenario, workspace);
    reason = refusal_of(run);
  }
  if (!reason.empty()) {
    return SkippedRow{.id = measured.id,
                      .source = table.source,
                      .reason = std::move(reason),
                      .parts = {},
                      .family = family_of(measured),
                      .kind = RowKind::recommendation};
  }
  const scenarios::Scenario& scenario = mapped.run->scenario;
  ValidatedRow row;
  row.kind = RowKind::recommendation;
  row.id = measured.id;
  row.source = table.source;
  row.file = table.file;
  row.family = family_of(measured);
  row.group = group_of(measured);
  row.assumed = mapped.run->assumed;
  write_verdict(run, row);
  if (measured.samples_per_s) {
    const double samples = scenarios::samples_per_step(scenario, scenario.baseline);
    const double stated =
        measured.global_batch ? static_cast<double>(*measured.global_batch) : samples;
    write_times(run, stated / *measured.samples_per_s, samples, measured.samples_per_s, row);
  }
  return row;
}

}  // namespace cubicbench::results
