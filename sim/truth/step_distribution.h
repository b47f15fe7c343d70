#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace cubicbench::sim {

/// Jitter inside a run: in every step each GPU is late by an independent exponential time, and the
/// step waits for the latest [docs/models.md, Eq. J-1].
struct StepJitter {
  double gpu_mean = 0.0;  ///< beta: mean delay of one GPU in one step, over the ideal step

  bool operator==(const StepJitter&) const = default;
};

/// Within one run of Llama 3.1 8B on 8 GPUs the step time has a standard deviation of 20.9 ms
/// around 4,377.9 ms (mean of 8 runs). Eight GPUs give sd / mean = beta 1.23589 / (1 +
/// beta 2.71786), hence beta. Source: [B200Cluster], training results.
inline constexpr StepJitter field_jitter{.gpu_mean = 0.0039037722};

/// How much longer than the ideal step the steps of a run are.
///
/// Left out: a GPU that is late for several steps in a row, delays that grow with what the GPU does
/// rather than with the step, and the sampling error of the finite number of steps in a run.
struct StepDistribution {
  double mean = 0.0;        ///< relative delay: beta H_n
  double percentile = 0.0;  ///< relative delay at the percentile asked for

  bool operator==(const StepDistribution&) const = default;
};

/// Of a job on `gpus` GPUs. `p` is the quantile of the step time, 0 <= p < 1.
StepDistribution step_distribution(const StepJitter& jitter, std::int64_t gpus, double p);

}  // namespace cubicbench::sim
