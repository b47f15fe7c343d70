#include "datasets/physics.h"

#include <algorithm>
#include <limits>

#include "scenarios/evaluate.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {

std::vector<Column> physics_columns() {
  return {{.name = simulated_column}, {.name = memory_column}};
}

void write_physics(const scenarios::Scenario& scenario, const sim::Plan& plan,
                   sim::Workspace& workspace, std::span<double> physics) {
  SIM_ASSERT(physics.size() == 2, physics.size());
  std::ranges::fill(physics, std::numeric_limits<double>::quiet_NaN());
  const sim::StepReport report = scenarios::evaluate(scenario, plan, workspace);
  if (report.status == sim::StepStatus::invalid) return;
  if (report.status == sim::StepStatus::ok) {
    physics[0] = sim::log(scenarios::objective_value(scenario, plan, report.step));
  }
  const sim::Bytes demand = std::max(report.memory.reserved, report.memory.reserved_at_start);
  physics[1] = demand / report.memory.capacity;
}

}  // namespace cubicbench::datasets
