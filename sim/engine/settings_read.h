#pragma once

#include "sim/plan/plan.h"

namespace cubicbench::sim {

// What a part of the evaluation of a transformer reads of a plan: the plan with all other settings
// at one value. A part gives the same bits for both plans, so that plans which agree in what it
// reads share its result.

/// Read by the memory of a step and by check(): all but what only times depend on, and of what
/// prefetching gathers how much, where anything is gathered twice.
Plan memory_settings(const Plan& plan);

/// Read by the time of a step that fits: all but what only memory depends on, and of the sharding
/// and the schedule what their modes read.
Plan time_settings(const Plan& plan);

// The others name what they read, and leave out everything else.

/// By mesh_of().
Plan mesh_settings(const Plan& plan);

/// By divide_layers().
Plan stage_settings(const Plan& plan);

/// By lower_blocks() and block_costs().
Plan block_settings(const Plan& plan);

/// By collectives over weights: mesh, stages, and what a parameter weighs.
Plan weight_settings(const Plan& plan);

}  // namespace cubicbench::sim
