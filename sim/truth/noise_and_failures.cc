#include "sim/truth/noise_and_failures.h"

#include <algorithm>
#include <cmath>

#include "sim/base/slowest.h"

namespace cubicbench::sim {
namespace {

constexpr NoiseModel silence{};
constexpr NoiseModel field{.jitter = field_jitter, .run = field_run_noise, .memory_varies = true};
constexpr FailureModel reliable{};

constexpr double hours_per_year = 365.0 * 24.0;
constexpr DriftModel lasting{};

}  // namespace

const NoiseModel* find_noise_model(std::string_view name) {
  if (name == "none") return &silence;
  return name == "field" ? &field : nullptr;
}

const FailureModel* find_failure_model(std::string_view name) {
  if (name == "none") return &reliable;
  return name == "llama3-2024" ? &llama3_2024 : nullptr;
}

StepDistribution step_distribution(const StepJitter& jitter, std::int64_t gpus, double p) {
  return {.mean = slowest_mean(jitter.gpu_mean, gpus),
          .percentile = slowest_quantile(jitter.gpu_mean, gpus, p)};
}

RunLuck draw_luck(const RunNoise& noise, std::int64_t nodes, const Draw& name) {
  const RandomWords words = random_words(name);
  RunLuck luck;
  luck.node_delay = slowest_quantile(noise.node_mean, nodes, unit_interval(words.first)) -
                    slowest_quantile(noise.node_mean, nodes, 0.5);
  if (nodes > 1) {
    const bool slow = unit_interval(words.second) < noise.slow_network_probability;
    luck.network_delay = network_delay(noise, slow);
  }
  return luck;
}

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
  const double gained = stack.gemm_factor * (1.0 + model.gemm_gain * progress);
  // Where kernels are counted the factor is over what products reach in training, else over what
  // they reach alone: then a stack whose factor is above 1 has gained all that there is.
  const bool is_bounded = !counts_kernels(stack);
  stack.gemm_factor = is_bounded ? std::min(std::max(1.0, stack.gemm_factor), gained) : gained;
  for (Seconds* const host : {&stack.host_layer_forward, &stack.launch}) {
    *host = *host * (1.0 - model.host_saving * progress);
  }
  stack.overlap_cost *= 1.0 - progress / model.overlap_years;
  return stack;
}

}  // namespace cubicbench::sim
