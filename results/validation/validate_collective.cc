#include "datasets/mapping/mapped_collective.h"
#include "results/validation/row_keys.h"
#include "results/validation/simulated_run.h"
#include "results/validation/validate_row.h"

namespace cubicbench::results {

RowOutcome validate_row(const datasets::CollectiveMeasurement& measured, const TableName& table,
                        sim::Workspace& /*no program*/) {
  datasets::MappedCollective mapped = datasets::simulate_collective(measured);
  ValidatedRow row;
  row.kind = RowKind::collective;
  row.id = measured.id;
  row.source = table.source;
  row.file = table.file;
  row.family = measured.system;
  if (!mapped.simulated) return skipped_row(std::move(row), std::move(mapped.reason));
  row.group = group_of(measured);
  row.assumed = std::move(mapped.assumed);
  row.system = measured.system;
  row.collective = measured.collective;
  row.gpus = measured.n_gpus.value_or(0);
  row.size_bytes = measured.size_bytes.value_or(0.0);
  if (const auto seconds = datasets::seconds_of(measured, mapped.ranks)) {
    write_times(
        {.measured = *seconds, .simulated = mapped.simulated->value, .amount = row.size_bytes},
        row);
  }
  return row;
}

}  // namespace cubicbench::results
