#include "results/validation/simulated_run.h"

#include <algorithm>
#include <cmath>

#include "results/simulation/violation_text.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::results {
namespace {

constexpr double gibibyte = 0x1p30;

}  // namespace

SimulatedRun simulate_run(const scenarios::Scenario& scenario, sim::Workspace& workspace) {
  SimulatedRun run;
  run.asked = scenarios::evaluate(scenario, scenario.baseline, workspace);
  const bool fits = run.asked.status == sim::StepStatus::ok;
  const bool invalid = run.asked.status == sim::StepStatus::invalid;
  run.timed = fits || invalid ? run.asked
                              : scenarios::evaluate_roomy(scenario, scenario.baseline,
                                                          scenario.cluster.state, workspace);
  return run;
}

std::string refusal_of(const SimulatedRun& run) {
  if (run.asked.status != sim::StepStatus::invalid) return "";
  return "the plan cannot be laid out: " + violation_text(run.asked.violation);
}

void write_verdict(const SimulatedRun& run, ValidatedRow& row) {
  const sim::MemoryReport& memory = run.asked.memory;
  row.status_simulated = run.asked.status;
  row.memory.demand = std::max(memory.demand, memory.demand_at_start).value / gibibyte;
  row.memory.limit = memory.capacity.value / gibibyte;
}

void write_times(const SimulatedRun& run, double measured_step_s, double throughput_per_step,
                 std::optional<double> throughput, ValidatedRow& row) {
  const double simulated = run.timed.step.value;
  const double rel_error = (simulated - measured_step_s) / measured_step_s;
  const double speed = throughput.value_or(throughput_per_step / measured_step_s);
  if (!std::isfinite(rel_error) || !std::isfinite(speed)) return;
  row.step_time_measured = measured_step_s;
  row.step_time_simulated = simulated;
  row.throughput_measured = speed;
  row.throughput_simulated = throughput_per_step / simulated;
  row.rel_error = rel_error;
  row.breakdown = run.timed.parts;
}

}  // namespace cubicbench::results
