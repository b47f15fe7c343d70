#include "scenarios/evaluation/lowered_step.h"

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/itemised_step.h"
#include "sim/engine/analytical.h"
#include "sim/plan/plan_cluster.h"
#include "sim/truth/between_nodes.h"
#include "sim/truth/job.h"

namespace cubicbench::scenarios {
namespace {

/// Tables are placed by the memory that is left, and the event engine plays programs of its own.
bool is_lowered(const Scenario& scenario) {
  return is_transformer(kind_of(scenario.workload)) && scenario.engine == Engine::analytical;
}

/// `use` of as many of the scenario's GPUs as the plan takes. Most take all, and spare the copy.
template <typename Use>
auto on_cluster(const Scenario& scenario, const sim::Plan& plan, Use use) {
  return sim::gpus_of(plan, scenario.cluster) == scenario.cluster.gpus
             ? use(scenario.cluster)
             : use(sim::cluster_of(plan, scenario.cluster));
}

}  // namespace

sim::StepReport roomy_step(const Scenario& scenario, const sim::Plan& plan,
                           sim::Workspace& workspace) {
  if (!is_lowered(scenario)) {
    return evaluate_roomy(scenario, plan, scenario.cluster.state, workspace);
  }
  sim::StepReport report;  // whose memory says nothing, so that the step waits for none
  on_cluster(scenario, plan, [&](const sim::Cluster& cluster) {
    sim::time_step(workspace.program, plan, cluster, scenario.stack, report);
  });
  return report;
}

sim::Seconds step_between_nodes(const Scenario& scenario, const sim::Plan& plan,
                                const sim::StepReport& timed, sim::Workspace& workspace) {
  if (!is_lowered(scenario)) {
    return sim::exposed_between_nodes(timed, itemised_roomy_step(scenario, plan, workspace));
  }
  return on_cluster(scenario, plan, [&](const sim::Cluster& cluster) {
    return sim::exposed_between_nodes(workspace.program, timed, {cluster, scenario.stack, plan});
  });
}

}  // namespace cubicbench::scenarios
