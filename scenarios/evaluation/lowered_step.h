#pragma once

#include "scenarios/problem/scenario.h"
#include "sim/engine/step_report.h"
#include "sim/plan/plan.h"
#include "sim/program/workspace.h"

namespace cubicbench::scenarios {

// What a launch asks of its step beyond evaluate(). They take the program that evaluate() of the
// same scenario and plan has left in `workspace`, where it lowered one that does not depend on the
// device's memory: that of a transformer.

/// evaluate_roomy() with the network as it is. Requires a step that does not fit (`oom_late`).
sim::StepReport roomy_step(const Scenario& scenario, const sim::Plan& plan,
                           sim::Workspace& workspace);

/// exposed_between_nodes() of the step that `timed` is of, with room or without.
sim::Seconds step_between_nodes(const Scenario& scenario, const sim::Plan& plan,
                                const sim::StepReport& timed, sim::Workspace& workspace);

}  // namespace cubicbench::scenarios
