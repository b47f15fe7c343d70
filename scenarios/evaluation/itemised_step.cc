#include "scenarios/evaluation/itemised_step.h"

#include "scenarios/evaluation/evaluate.h"
#include "sim/plan/plan_cluster.h"

namespace cubicbench::scenarios {

sim::ItemisedStep itemised_step(const Scenario& scenario, const sim::Plan& plan,
                                sim::Workspace& workspace) {
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  return sim::itemised_step(scenario.workload, plan, cluster, scenario.stack, workspace);
}

sim::ItemisedStep itemised_roomy_step(const Scenario& scenario, const sim::Plan& plan,
                                      sim::Workspace& workspace) {
  sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  cluster.device.memory = boundless_memory;
  return sim::itemised_step(scenario.workload, plan, cluster, scenario.stack, workspace);
}

}  // namespace cubicbench::scenarios
