#pragma once

#include <string>
#include <utility>

#include "datasets/validation/validated_row.h"
#include "tests/datasets/validation/made_rows.h"

namespace cubicbench::datasets {

/// A training run of `source` in `group`, timed: `measured` and `simulated` seconds. Throughput is
/// one over the time.
inline ValidatedRow made_up_run(const std::string& id, const std::string& source,
                                const std::string& group, double measured, double simulated) {
  ValidatedRow row;
  row.id = id;
  row.source = source;
  row.file = source + ".csv";
  row.family = group;
  row.group = group;
  row.step_time_measured = measured;
  row.step_time_simulated = simulated;
  row.throughput_measured = 1.0 / measured;
  row.throughput_simulated = 1.0 / simulated;
  row.rel_error = (simulated - measured) / measured;
  row.breakdown[0] = {0.75 * simulated};  // matrix products
  row.breakdown[5] = {0.25 * simulated};  // waiting for the host
  return row;
}

/// The same run at a micro-batch of its ladder, which ran or not, with demand for memory in GiB of
/// a limit of 80.
inline ValidatedRow on_ladder(ValidatedRow row, std::int64_t micro_batch, bool ran, double demand) {
  row.ladder = "layout";
  row.micro_batch = micro_batch;
  row.memory.demand = demand;
  row.memory.limit = 80.0;
  if (demand > 80.0) row.status_simulated = sim::StepStatus::oom_late;
  if (!ran) {
    row.status_measured = MeasurementStatus::oom;
    row.step_time_measured = row.step_time_simulated = row.rel_error = {};
    row.throughput_measured = row.throughput_simulated = {};
  }
  return row;
}

inline ValidatedRow made_up_collective(const std::string& id, double size, double measured,
                                       double simulated) {
  ValidatedRow row = made_up_run(id, "nccl", "cluster/all_reduce/8", measured, simulated);
  row.kind = RowKind::collective;
  row.system = "cluster";
  row.collective = "all_reduce";
  row.gpus = 8;
  row.size_bytes = size;
  row.breakdown = {};
  return row;
}

/// Five runs of one group, of which the fourth is ranked first by the simulator and the last hung;
/// a ladder; two collectives; a row that is skipped.
///
///   id      measured  simulated
///   a&b     1.0       1.1     +10 %
///   run2    2.0       1.8     -10 %
///   run3    4.0       4.8     +20 %
///   run4    1.25      1.0     -20 %
///   run5    8.0       2.0     -75 %, four times slower than simulated
inline Validation made_up_validation() {
  Validation validation;
  const std::string source = "runs <one>";
  const std::pair<double, double> times[] = {
      {1.0, 1.1}, {2.0, 1.8}, {4.0, 4.8}, {1.25, 1.0}, {8.0, 2.0}};
  int number = 1;
  for (const auto& [measured, simulated] : times) {
    const std::string id = number == 1 ? "a&b" : "run" + std::to_string(number);
    validation.rows.push_back(made_up_run(id, source, "model|8", measured, simulated));
    ++number;
  }
  for (ValidatedRow& row : validation.rows) row.parts = {"sc21"};
  validation.rows.push_back(on_ladder(made_up_run("m1", source, "small", 1.0, 1.0), 1, true, 60.0));
  validation.rows.push_back(on_ladder(made_up_run("m2", source, "small", 1.0, 1.0), 2, true, 70.0));
  validation.rows.push_back(
      on_ladder(made_up_run("m4", source, "small", 1.0, 1.0), 4, false, 79.0));
  validation.rows.push_back(made_up_collective("c1", 1024.0, 1e-5, 2e-5));
  validation.rows.push_back(made_up_collective("c2", 1048576.0, 1e-4, 1e-4));
  validation.skipped.push_back(skipped_row("s1", source, "needs mixture_of_experts", "model"));
  validation.excluded[Exclusion::flag] = 3;
  return validation;
}

}  // namespace cubicbench::datasets
