#include "sim/engine/analytical.h"

#include <variant>

#include "sim/engine/bare_step.h"
#include "sim/engine/recommendation_halves.h"
#include "sim/memory/memory_report.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/lower_recommendation.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

double communicators_of(const StepProgram& program, const Plan& plan) {
  return communicators(program.mesh, plan);
}
double communicators_of(const RecommendationProgram& program, const Plan&) {
  return program.communicators();
}

double micro_batches_of(const StepProgram& program) { return program.micro_batches; }
double micro_batches_of(const RecommendationProgram&) { return 1.0; }

void time_step(const RecommendationProgram& program, const Plan& plan, const Cluster& cluster,
               const Stack& stack, StepReport& report) {
  const StepContext on{cluster, stack, plan};
  const DenseCost dense = dense_cost(program, on);
  const RecommendationStep step =
      joined_step(dense_time(dense), table_time(program, on), retry_share(report.memory));
  report.parts = parts_of(step, dense).parts;
  report.step = step.total();
}

template <typename Model, typename Program>
StepReport evaluate_in(Program& program, const Model& model, const Plan& plan,
                       const Cluster& cluster, const Stack& stack) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  lower(model, plan, cluster, stack, program);
  report.micro_batches = micro_batches_of(program);
  report.memory =
      peak_memory(program.allocations, communicators_of(program, plan), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status == StepStatus::ok) time_step(program, plan, cluster, stack, report);
  return report;
}

}  // namespace

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
  return evaluate_in(workspace.program, model, plan, cluster, stack);
}

StepReport evaluate(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  return evaluate_in(workspace.recommendation, model, plan, cluster, stack);
}

StepReport evaluate(const Workload& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return evaluate(kind, plan, cluster, stack, workspace); }, model);
}

}  // namespace cubicbench::sim
