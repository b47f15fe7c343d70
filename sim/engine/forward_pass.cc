#include "sim/engine/forward_pass.h"

#include <algorithm>

#include "sim/engine/analytical.h"

namespace cubicbench::sim {
namespace {

Bytes weights_kept(const StepProgram& program, const Plan& plan) {
  const bool sharded = traits(plan.sharding).shards_parameters;
  const auto part = [&](const WeightUnits& weights, const WeightGroups& groups) {
    return weights.parameters / (sharded ? real(groups.shard.ranks) : 1.0);
  };
  double most = 0.0;
  for (const StageRun& run : program.runs) {
    most = std::max(most, part(run.weights, program.mesh.weights) +
                              part(run.expert_weights, program.mesh.expert_weights));
  }
  return Bytes{storage_bytes(plan.param_dtype) * most};
}

}  // namespace

ForwardPass forward_pass(const Transformer& model, const StepContext& on, ForwardHead head,
                         StepProgram& program) {
  const Plan plan = forward_plan(on.plan);
  lower_forward(model, plan, on.cluster, on.stack, head, program);
  StepReport report;
  time_step(program, plan, on.cluster, on.stack, report);
  return {report.step, weights_kept(program, plan)};
}

}  // namespace cubicbench::sim
