#include "results/validation/simulated_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "results/simulation/violation_text.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::results {
namespace {

constexpr double gibibyte = 0x1p30;

}  // namespace

SimulatedRun simulate_run(const datasets::MappedRun& mapped, sim::Workspace& workspace) {
  if (!mapped.run) return {.refusal = mapped.reason, .asked = {}, .timed = {}};
  const scenarios::Scenario& scenario = mapped.run->scenario;
  SimulatedRun run;
  run.asked = scenarios::evaluate(scenario, scenario.baseline, workspace);
  if (run.asked.status == sim::StepStatus::invalid) {
    run.refusal = "the plan cannot be laid out: " + violation_text(run.asked.violation);
  }
  const bool fits = run.asked.status == sim::StepStatus::ok;
  run.timed = fits || !run.refusal.empty()
                  ? run.asked
                  : scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state,
                                              workspace);
  return run;
}

SkippedRow skipped_row(ValidatedRow row, std::string reason) {
  return {.id = std::move(row.id),
          .source = std::move(row.source),
          .reason = std::move(reason),
          .parts = std::move(row.parts),
          .family = std::move(row.family),
          .kind = row.kind};
}

void write_verdict(const SimulatedRun& run, ValidatedRow& row) {
  const sim::MemoryReport& memory = run.asked.memory;
  row.status_simulated = run.asked.status;
  row.memory.demand = std::max(memory.demand, memory.demand_at_start).value / gibibyte;
  row.memory.limit = memory.capacity.value / gibibyte;
}

void write_times(const TimedWork& work, ValidatedRow& row) {
  const double rel_error = (work.simulated - work.measured) / work.measured;
  const double speed = work.throughput_measured.value_or(work.amount / work.measured);
  if (!std::isfinite(rel_error) || !std::isfinite(speed)) return;
  row.step_time_measured = work.measured;
  row.step_time_simulated = work.simulated;
  row.throughput_measured = speed;
  row.throughput_simulated = work.amount / work.simulated;
  row.rel_error = rel_error;
}

void write_times(const SimulatedRun& run, TimedWork work, ValidatedRow& row) {
  work.simulated = run.timed.step.value;
  write_times(work, row);
  if (row.rel_error) row.breakdown = run.timed.parts;
}

}  // namespace cubicbench::results
