#include "sim/truth/step_distribution.h"

#include "sim/base/slowest.h"

namespace cubicbench::sim {

StepDistribution step_distribution(const StepJitter& jitter, std::int64_t gpus, double p) {
  return {.mean = slowest_mean(jitter.gpu_mean, gpus),
          .percentile = slowest_quantile(jitter.gpu_mean, gpus, p)};
}

}  // namespace cubicbench::sim
