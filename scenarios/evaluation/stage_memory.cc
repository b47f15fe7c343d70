#include "scenarios/evaluation/stage_memory.h"

#include "sim/plan/device_mesh.h"

namespace cubicbench::scenarios {

sim::StageMemory stage_memory(const Scenario& scenario, const sim::Plan& plan,
                              sim::StageChoice choice, const sim::Workspace& workspace) {
  if (is_transformer(kind_of(scenario.workload))) {
    const sim::StepProgram& program = workspace.program;
    return sim::stage_memory(program.allocations, choice, sim::communicators(program.mesh, plan),
                             scenario.stack);
  }
  const sim::RecommendationProgram& program = workspace.recommendation;
  return sim::stage_memory(program.allocations, choice, program.communicators(), scenario.stack);
}

}  // namespace cubicbench::scenarios
