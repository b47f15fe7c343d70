#include "sim/engine/analytical.h"

#include <variant>

#include "sim/engine/bare_step.h"
#include "sim/engine/straggler_share.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {

void time_step(StepProgram& program, const Plan& plan, const Cluster& cluster, const Stack& stack,
               StepReport& report) {
  const StepContext on{cluster, stack, plan};
  const BareStep bare = bare_step(program, block_costs(program, on), {}, on);
  const StepCost step =
      delayed(bare, program.stages > 1.0, retry_share(report.memory), straggler_share(cluster));
  report.parts = step.parts;
  report.step = step.total();
}

StepReport evaluate(const Transformer& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  StepProgram& program = workspace.program;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = program.micro_batches;
  report.memory =
      peak_memory(program.allocations, communicators(program.mesh, plan), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status != StepStatus::ok) {
    return report;
  }
  time_step(program, plan, cluster, stack, report);
  return report;
}

StepReport evaluate(const Workload& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return evaluate(kind, plan, cluster, stack, workspace); }, model);
}

}  // namespace cubicbench::sim
