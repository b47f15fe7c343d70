#pragma once

#include "sim/program/recommendation_program.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// Owns the buffers of programs; reuse one per thread so that evaluation allocates nothing.
struct Workspace {
  StepProgram program;
  RecommendationProgram recommendation;
};

}  // namespace cubicbench::sim
