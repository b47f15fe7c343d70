#include "sim/truth/drift.h"

#include <algorithm>
#include <cmath>

#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

constexpr double hours_per_year = 365.0 * 24.0;
constexpr DriftModel lasting{};

}  // namespace

const DriftModel* find_drift_model(std::string_view name) {
  if (name == "none") return &lasting;
  return name == "assumed-releases" ? &assumed_releases : nullptr;
}

double drift_progress(const DriftModel& model, double hours, std::uint64_t seed) {
  if (model.releases_per_year <= 0.0) return 0.0;
  const double since_the_last = uniform({.seed = seed, .purpose = Purpose::drift});
  const double releases =
      std::floor(since_the_last + hours / hours_per_year * model.releases_per_year);
  return std::min(1.0, releases / model.releases_per_year);
}

Stack released(Stack stack, const DriftModel& model, double progress) {
  if (progress <= 0.0) return stack;
  // A stack whose factor is above 1 already has gained all that there is.
  const double best = std::max(1.0, stack.gemm_factor);
  stack.gemm_factor = std::min(best, stack.gemm_factor * (1.0 + model.gemm_gain * progress));
  stack.host_layer_forward = stack.host_layer_forward * (1.0 - model.host_saving * progress);
  stack.overlap_cost *= 1.0 - progress / model.overlap_years;
  return stack;
}

}  // namespace cubicbench::sim
