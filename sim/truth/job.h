#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/engine/itemised/itemised_step.h"
#include "sim/engine/step_report.h"
#include "sim/truth/noise_and_failures.h"

namespace cubicbench::sim {

/// What a launch asks of its cluster.
struct JobTerms {
  std::int64_t steps = 1;  ///< of the whole job
  Seconds startup{};
  Seconds time_limit{};
  std::int64_t gpus = 1;
  std::int64_t nodes = 1;
  /// Of the job's steps those that the launch runs, at most all; nothing: all of them.
  std::optional<std::int64_t> short_of{};
};

/// The steps that the launch runs if nothing ends it.
constexpr std::int64_t launched_steps(const JobTerms& terms) {
  return terms.short_of.value_or(terms.steps);
}

/// Of `steps` steps the share `fidelity`, in (0, 1], rounded to the nearest: at least one.
std::int64_t short_steps(double fidelity, std::int64_t steps);

/// Steps of one configuration without noise, on a given machine.
struct IdealJob {
  StepStatus status = StepStatus::ok;
  Seconds step{};           ///< ideal; of what does not fit that of a device with room for it
  Seconds between_nodes{};  ///< of it, what waits for traffic between nodes
  /// Share of the job's steps, in [0, 1), after which its training shows that it diverges; nothing
  /// where it does not.
  std::optional<double> diverges_after{};
  Seconds busy{};  ///< of the step, what GPUs compute: see busy_time()
};

/// What became of a launch. `timeout` without a failure is a property of the configuration.
enum class JobEnd { completed, invalid, oom_init, oom_late, timeout, infra, numeric };

struct JobOutcome {
  JobEnd end = JobEnd::completed;
  Seconds percentile_step{};  ///< meaningful when completed, as is the next
  Seconds mean_step{};
  Seconds duration{};  ///< of the cluster's time that the launch took

  bool operator==(const JobOutcome&) const = default;
};

/// Which launch: random numbers are a pure function of these.
struct JobKey {
  std::uint64_t seed = 0;           ///< of the scenario and the instance
  std::uint64_t configuration = 0;  ///< its number in the space
  std::int64_t attempt = 0;         ///< in [0, 2^32)
};

/// What the launch needs of memory over what the model says [docs/models.md, Eq. J-10]: a pure
/// function of `key`; 1 where `noise` leaves memory as it is.
double launched_demand_factor(const NoiseModel& noise, const JobKey& key);

/// What becomes of a launch that needs `demand`: `oom_late` where that exceeds the capacity, `ok`
/// where it does not, whatever the model's own demand. What is invalid or does not even start
/// stays.
StepStatus launched_status(const StepReport& report, Bytes demand);

/// Steps of a job that are paid for when its training diverges after the share `after` of them:
/// the last is the one in which it shows. Requires 0 <= after < 1.
std::int64_t steps_until_divergence(double after, std::int64_t steps);

/// The job without run-to-run noise and failures [docs/models.md, Eq. J-7]:
///
///   invalid    takes nothing
///   oom_init   takes the start-up
///   oom_late   takes the start-up and the first step
///   numeric    takes the start-up and the steps until it shows, floor(share x steps) + 1
///   else       takes startup + steps x mean step
///
/// The last two are a timeout where that exceeds the limit. A short launch takes the steps that it
/// runs, and has ended before a divergence that shows later in the job.
///
/// No job takes longer than the limit.
JobOutcome steady_job(const IdealJob& job, const JobTerms& terms, const StepDistribution& steps);

/// The same with the luck of one launch: failures that are properties of the configuration stay as
/// they are; a run that its luck pushes over the limit is a timeout; a hang takes the limit.
JobOutcome launched_job(const IdealJob& job, const JobTerms& terms, const StepDistribution& steps,
                        const RunNoise& noise, const FailureModel& failures, const JobKey& key);

/// What a launch measures of its steps, whose quantile `p` is asked for: `whole`, the job's own
/// distribution, where it runs all of them. Of a short launch the quantile has the error of a
/// sample of the job's steps without replacement [docs/truth.md, "Short launches"]: with z standard
/// normal, a pure function of `key`,
///
///   logit u = logit p + z sqrt((1 / steps that run - 1 / steps) / (p (1 - p)))
///
/// p = 0, the fastest step, is taken as it is. Left out: the same error of the mean, which nothing
/// but the duration reads.
StepDistribution measured_steps(const StepDistribution& whole, const StepJitter& jitter,
                                const JobTerms& terms, double p, const JobKey& key);

/// The part of a step that waits for traffic between nodes. `items` is the same step on a device
/// with room for it: of what a part of `report` exposes, collectives of groups that reach over
/// several nodes count as much as they take of what all of the part's take on their own, gathers of
/// weights, reductions of gradients and exchanges of rows apart. Left out: the in-node share of a
/// group that leaves its node.
Seconds exposed_between_nodes(const StepReport& report, const ItemisedStep& items);

}  // namespace cubicbench::sim
