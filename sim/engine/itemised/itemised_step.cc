#include "sim/engine/itemised/itemised_step.h"

#include <variant>

#include "sim/engine/analytical.h"
#include "sim/engine/itemised/item_list.h"

namespace cubicbench::sim {

ItemisedStep itemised_step(const Workload& model, const Plan& plan, const Cluster& cluster,
                           const Stack& stack, Workspace& workspace) {
  ItemisedStep step;
  step.report = evaluate(model, plan, cluster, stack, workspace);
  if (step.report.status != StepStatus::ok) return step;
  const StepContext on{cluster, stack, plan};
  // evaluate() left the step's program where it was lowered to.
  if (std::holds_alternative<Transformer>(model)) {
    itemise(workspace.program, on, step);
  } else {
    itemise(workspace.recommendation, on, step);
  }
  return step;
}

}  // namespace cubicbench::sim
