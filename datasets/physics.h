#pragma once

#include <span>
#include <vector>

#include "datasets/dataset.h"
#include "scenarios/scenario.h"
#include "sim/engine/analytical.h"
#include "sim/plan/plan.h"

namespace cubicbench::datasets {

/// What write_physics() writes: `simulated_column`, then `memory_column`.
std::vector<Column> physics_columns();

/// What the scenario's own constants say of `plan`, one number a column of physics_columns(): the
/// natural logarithm of the objective's metric, and the demand for device memory over what the
/// device leaves. NaN where the engine has no answer: no time of a step that does not fit, nothing
/// of a plan that cannot be laid out.
void write_physics(const scenarios::Scenario& scenario, const sim::Plan& plan,
                   sim::Workspace& workspace, std::span<double> physics);

}  // namespace cubicbench::datasets
