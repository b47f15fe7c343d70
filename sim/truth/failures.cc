#include "sim/truth/failures.h"

#include "sim/base/slowest.h"

namespace cubicbench::sim {

std::optional<Interruption> first_interruption(const FailureModel& model, std::int64_t gpus,
                                               Seconds duration, const Draw& name) {
  const double per_second = model.per_gpu_hour * static_cast<double>(gpus) / 3600.0;
  if (per_second <= 0.0) return std::nullopt;
  const RandomWords words = random_words(name);
  // One exponential waiting time: the slowest of one.
  const Seconds after{slowest_quantile(1.0 / per_second, 1, unit_interval(words.first))};
  if (after >= duration) return std::nullopt;
  return Interruption{.after = after, .hangs = unit_interval(words.second) < model.hang_share};
}

}  // namespace cubicbench::sim
