#pragma once

#include "scenarios/problem/scenario.h"
#include "sim/engine/itemised/itemised_step.h"

namespace cubicbench::scenarios {

/// One step of `plan` by what causes its time and memory, by the analytical engine, on as much of
/// the scenario's cluster as the plan takes.
sim::ItemisedStep itemised_step(const Scenario& scenario, const sim::Plan& plan,
                                sim::Workspace& workspace);

/// The same as if the device's memory held anything.
sim::ItemisedStep itemised_roomy_step(const Scenario& scenario, const sim::Plan& plan,
                                      sim::Workspace& workspace);

}  // namespace cubicbench::scenarios
