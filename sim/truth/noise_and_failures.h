#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/philox.h"
#include "sim/base/units.h"
#include "sim/hardware/stack.h"

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

/// What differs between launches of one configuration and stays the same through a launch
/// [docs/models.md, Eq. J-4, J-5].
struct RunNoise {
  double node_mean = 0.0;                 ///< mean persistent delay of a node, over the step
  double slow_network_probability = 0.0;  ///< q: that a launch gets the slower of two networks
  double slow_network_excess = 0.0;       ///< d: traffic takes 1 + d times as long on it

  bool operator==(const RunNoise&) const = default;
};

/// Nodes: eight runs of Llama 3.1 8B on one 8-GPU node differ with a standard deviation of 53.0 ms
/// around 4,377.9 ms, which is that of one exponential delay of this mean [B200Cluster].
/// Network: ten published launches of one large all-reduce over several nodes fall into two modes a
/// third apart with a coefficient of variation of 0.15. A slow share q of ten launches has
///   CV = sqrt(10/9) d sqrt(q (1-q)) / (1 + q d), d = 1/3:  0.146, 0.152, 0.151, 0.143
/// for q = 0.3 to 0.6: one half fits.
inline constexpr RunNoise field_run_noise{
    .node_mean = 53.0 / 4377.9, .slow_network_probability = 0.5, .slow_network_excess = 1.0 / 3.0};

/// What one launch drew.
struct RunLuck {
  double node_delay = 0.0;     ///< of the slowest node less its median: can be negative
  double network_delay = 0.0;  ///< relative to the mean of both networks: can be negative

  bool operator==(const RunLuck&) const = default;
};

/// What the faster and the slower network add to traffic, relative to their mean 1 + q d, so that
/// launches scatter around the true value rather than below it:
///
///   1 / (1 + q d) - 1   and   (1 + d) / (1 + q d) - 1;   a seventh less or more for
///   field_run_noise
constexpr double network_delay(const RunNoise& noise, bool slow) {
  const double mean = 1.0 + noise.slow_network_probability * noise.slow_network_excess;
  return (slow ? 1.0 + noise.slow_network_excess : 1.0) / mean - 1.0;
}

/// The luck of a launch on `nodes` nodes, a pure function of `name` (its `draw` numbers launches).
/// On one node there is no traffic for a slow network to slow.
RunLuck draw_luck(const RunNoise& noise, std::int64_t nodes, const Draw& name);

/// A step of ideal time `step`, of which `between_nodes` waits for traffic between nodes:
///   (step + network_delay between_nodes) (1 + node_delay)
constexpr Seconds with_luck(Seconds step, Seconds between_nodes, const RunLuck& luck) {
  return (1.0 + luck.node_delay) * (step + luck.network_delay * between_nodes);
}

/// Failures of the infrastructure: a Poisson process in GPU-hours [docs/models.md, Eq. J-6].
struct FailureModel {
  double per_gpu_hour = 0.0;
  double hang_share = 0.0;  ///< of failures, those that leave the job waiting for its time limit

  bool operator==(const FailureModel&) const = default;
};

/// 419 unexpected interruptions in 54 days on 16,384 GPUs [Llama3, section 3.3.4]; of these 7 are
/// watchdog timeouts of collectives, the only kind in its Table 5 that shows as a hang. A launch of
/// a benchmark has no watchdog, so that they are hangs here is our assumption.
inline constexpr FailureModel llama3_2024{.per_gpu_hour = 419.0 / (54.0 * 24.0 * 16384.0),
                                          .hang_share = 7.0 / 419.0};

struct Interruption {
  Seconds after;       ///< from the launch
  bool hangs = false;  ///< no progress from then on, but no end either
};

/// The first failure of a job on `gpus` GPUs within `duration`, a pure function of `name`.
std::optional<Interruption> first_interruption(const FailureModel& model, std::int64_t gpus,
                                               Seconds duration, const Draw& name);

/// What a scenario's `truth.noise` names.
struct NoiseModel {
  StepJitter jitter;
  RunNoise run;
  bool memory_varies = false;  ///< a launch needs demand_factor x demand [docs/models.md, Eq. J-10]

  bool operator==(const NoiseModel&) const = default;
};

/// "none" (all zero) or "field"; nullptr for any other name.
const NoiseModel* find_noise_model(std::string_view name);

/// "none" (all zero) or "llama3-2024"; nullptr for any other name.
const FailureModel* find_failure_model(std::string_view name);

/// How the software of a cluster changes over calendar time: in releases, each as large as the one
/// before [docs/models.md, Eq. J-9]. Rates are those of a year's releases.
struct DriftModel {
  double releases_per_year = 0.0;  ///< 0: nothing ever changes
  double gemm_gain = 0.0;          ///< kernels run 1 + gain as fast, at most at the device's best
  double host_saving = 0.0;        ///< share of the host's work that goes
  double overlap_years = 0.0;      ///< until overlapping would cost nothing

  bool operator==(const DriftModel&) const = default;
};

/// Six releases a year: together kernels gain an eighth, a quarter of the host's work goes, and a
/// third of what overlapping costs. An assumption: published releases of one stack gain 3 to 7 %
/// each (docs/datasets.md), and after a year of them this one stops.
inline constexpr DriftModel assumed_releases{
    .releases_per_year = 6.0, .gemm_gain = 0.125, .host_saving = 0.25, .overlap_years = 3.0};

/// "none" (nothing changes) or "assumed-releases"; nullptr for any other name.
const DriftModel* find_drift_model(std::string_view name);

/// Share of a year's releases that are out `hours` after the first look at a cluster, in [0, 1]:
/// whole releases, and none that came later than a year. Looks begin anywhere between two releases,
/// where a number drawn under `seed` says.
double drift_progress(const DriftModel& model, double hours, std::uint64_t seed);

/// `stack` with that share of a year's releases. Memory is as before.
Stack released(Stack stack, const DriftModel& model, double progress);

}  // namespace cubicbench::sim
