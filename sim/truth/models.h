#pragma once

#include <string_view>

#include "sim/truth/failures.h"
#include "sim/truth/run_noise.h"
#include "sim/truth/step_distribution.h"

namespace cubicbench::sim {

/// What a scenario's `truth.noise` names.
struct NoiseModel {
  StepJitter jitter;
  RunNoise run;

  bool operator==(const NoiseModel&) const = default;
};

/// "none" (all zero) or "field"; nullptr for any other name.
const NoiseModel* find_noise_model(std::string_view name);

/// "none" (all zero) or "llama3-2024"; nullptr for any other name.
const FailureModel* find_failure_model(std::string_view name);

}  // namespace cubicbench::sim
