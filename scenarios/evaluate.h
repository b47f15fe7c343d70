#pragma once

#include "scenarios/scenario.h"
#include "sim/engine/analytical.h"

namespace cubicbench::scenarios {

/// Time and memory of `plan` on the scenario's workload, cluster and stack, by the analytical
/// engine. Nothing is allocated once `workspace` has seen its largest program.
sim::StepReport evaluate(const Scenario& scenario, const sim::Plan& plan,
                         sim::Workspace& workspace);

/// The objective's metric of a step of `plan` that took `step`, without noise.
double objective_value(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// Tokens of one step over its time; likewise the others, in the units their names say.
double tokens_per_s(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);
double samples_per_s(const sim::Plan& plan, sim::Seconds step);

/// Model FLOP utilisation: (6 N + 6 L a d s) tokens/s over the cluster's peak in the plan's dtype.
double mfu(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// The same with 6 N only, as many reports print it.
double mfu_6n(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

}  // namespace cubicbench::scenarios
