#pragma once

#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "scenarios/problem/scenario.h"
#include "sim/engine/analytical.h"
#include "sim/plan/plan.h"

namespace cubicbench::datasets {

/// What write_physics() writes: `simulated_column`, `memory_column`, `slow_column`; then shares of
/// the step (launching, bubble, head, traffic of model and data parallelism), of the memory (before
/// the first step, activations), and the layout.
std::vector<Column> physics_columns();

/// What the scenario's own constants say of `plan`, one number a column of physics_columns(): the
/// natural logarithm of the objective's metric in an ideal step (without regard to memory: what
/// does not fit has a time too), the demand for device memory over what the device leaves, and
/// where time and memory go. NaN throughout for a plan that cannot be laid out.
/// Requires as many cells as there are columns. Allocates nothing once `workspace` has seen its
/// largest program.
void write_physics(const scenarios::Scenario& scenario, const sim::Plan& plan,
                   sim::Workspace& workspace, std::span<double> physics);

}  // namespace cubicbench::datasets
