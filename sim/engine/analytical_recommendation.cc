#include "sim/engine/analytical.h"
#include "sim/engine/recommendation_halves.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_recommendation.h"

namespace cubicbench::sim {

StepReport evaluate(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  RecommendationProgram& program = workspace.recommendation;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = 1.0;
  report.memory = peak_memory(program.allocations, program.communicators(), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status == StepStatus::ok) {
    const StepContext on{cluster, stack, plan};
    const DenseCost dense = dense_cost(program, on);
    const RecommendationStep step =
        joined_step(dense_time(dense), table_time(program, on), retry_share(report.memory));
    report.parts = parts_of(step, dense).parts;
    report.step = step.total();
  }
  return report;
}

}  // namespace cubicbench::sim
