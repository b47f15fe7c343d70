#pragma once

#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::predictor {

/// Whether the baseline has a step, were there memory enough for it.
inline bool can_be_laid_out(const scenarios::Scenario& scenario, sim::Workspace& workspace) {
  return scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace)
             .status == sim::StepStatus::ok;
}

}  // namespace cubicbench::predictor
