#pragma once

#include <string>
#include <utility>

#include "results/validation/summary.h"
#include "results/validation/validated_row.h"
#include "tests/results/validation/made_rows.h"

namespace cubicbench::results {

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
    row.status_measured = datasets::MeasurementStatus::oom;
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

/// What the tables print is taken from here: figures that no other text has.
inline Summaries made_up_summaries() {
  Summary runs;
  runs.has_runs = true;
  runs.rows = 8;
  runs.skipped = 1;
  runs.n = 7;
  runs.coverage = 8.0 / 9.0;
  runs.median_abs_rel_error = 0.1;
  runs.mean_abs_rel_error = 0.193;
  runs.p90_abs_rel_error = 0.42;
  runs.bias = -0.1;
  runs.ranks = {.groups = 1,
                .kendall_median = 0.6,
                .pair_kendall_5pct = {},
                .top1_ratio = 0.8,
                .top1_share = {}};
  runs.oom = {.tp = 0,
              .fp = 0,
              .tn = 2,
              .fn = 1,
              .balanced_accuracy = 0.5,
              .auroc = 1.0,
              .ladder_edges = 0.0};
  runs.hung = 1;
  Summary collectives;
  collectives.has_collectives = true;
  collectives.rows = 2;
  collectives.n = 2;
  collectives.coverage = 1.0;
  collectives.median_abs_rel_error = 0.5;
  collectives.p90_abs_rel_error = 0.9;
  collectives.bias = 0.5;
  collectives.by_size[0] = {.n = 1, .median = 1.0, .p90 = 2.0};
  collectives.by_size[1] = {.n = 1, .median = 0.0, .p90 = 0.0};
  Summaries summaries;
  summaries.overall = runs;
  summaries.overall.n = 9;
  summaries.overall.has_collectives = true;
  summaries.runs = runs;
  summaries.collectives = collectives;
  summaries.sources = {{"runs <one>", runs}, {"nccl", collectives}};
  summaries.parts = {{"sc21", runs}};
  return summaries;
}

}  // namespace cubicbench::results
