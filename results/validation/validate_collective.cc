#include <cmath>

#include "datasets/mapping/mapped_collective.h"
#include "results/validation/row_keys.h"
#include "results/validation/validate_row.h"

namespace cubicbench::results {

RowOutcome validate_row(const datasets::CollectiveMeasurement& measured, const TableName& table,
                        sim::Workspace& /*no program*/) {
  datasets::MappedCollective mapped = datasets::simulate_collective(measured);
  if (!mapped.simulated) {
    return SkippedRow{.id = measured.id,
                      .source = table.source,
                      .reason = std::move(mapped.reason),
                      .parts = {},
                      .family = measured.system,
                      .kind = RowKind::collective};
  }
  ValidatedRow row;
  row.kind = RowKind::collective;
  row.id = measured.id;
  row.source = table.source;
  row.file = table.file;
  row.family = measured.system;
  row.group = group_of(measured);
  row.assumed = std::move(mapped.assumed);
  row.system = measured.system;
  row.collective = measured.collective;
  row.gpus = measured.n_gpus.value_or(0);
  row.size_bytes = measured.size_bytes.value_or(0.0);
  const std::optional<double> seconds = datasets::seconds_of(measured, mapped.ranks);
  const double simulated = mapped.simulated->value;
  const double rel_error = seconds ? (simulated - *seconds) / *seconds : 0.0;
  const double speed = seconds ? row.size_bytes / *seconds : 0.0;
  if (seconds && std::isfinite(rel_error) && std::isfinite(speed)) {
    row.step_time_measured = seconds;
    row.step_time_simulated = simulated;
    row.throughput_measured = speed;
    row.throughput_simulated = row.size_bytes / simulated;
    row.rel_error = rel_error;
  }
  return row;
}

}  // namespace cubicbench::results
