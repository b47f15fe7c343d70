#include "sim/truth/job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"
#include "sim/base/slowest.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::sim {
namespace {

/// A run of steps whose ideal time is `step` on the nodes and the network it got.
JobOutcome run(Seconds step, const JobTerms& terms, const StepDistribution& steps) {
  JobOutcome outcome{.percentile_step = (1.0 + steps.percentile) * step,
                     .mean_step = (1.0 + steps.mean) * step};
  outcome.duration = terms.startup + static_cast<double>(launched_steps(terms)) * outcome.mean_step;
  if (outcome.duration > terms.time_limit) {
    outcome.end = JobEnd::timeout;
    outcome.duration = terms.time_limit;
  }
  return outcome;
}

/// The same of a training that diverges after a share of the job's steps.
JobOutcome diverging_run(Seconds step, double after, const JobTerms& terms,
                         const StepDistribution& steps) {
  JobTerms until_it_shows = terms;
  until_it_shows.short_of = steps_until_divergence(after, terms.steps);
  if (*until_it_shows.short_of > launched_steps(terms)) return run(step, terms, steps);
  const JobOutcome reached = run(step, until_it_shows, steps);
  if (reached.end == JobEnd::timeout) return reached;
  return {.end = JobEnd::numeric, .duration = reached.duration};
}

Draw draw_of(const JobKey& key, Purpose purpose) {
  SIM_ASSERT(key.attempt >= 0, key.attempt);
  SIM_ASSERT(key.attempt <= std::numeric_limits<std::uint32_t>::max(), key.attempt);
  return {.seed = key.seed,
          .purpose = purpose,
          .entity = key.configuration,
          .draw = static_cast<std::uint32_t>(key.attempt)};
}

/// Of what collectives of `term` take, each alone, the share of those between nodes.
double share_between_nodes(const ItemisedStep& step, StepItem term) {
  Seconds all;
  Seconds between;
  for (const Transmission& one : step.transmissions) {
    if (one.term != term) continue;
    all += one.time;
    if (nodes_of(one.group) > 1) between += one.time;
  }
  return all > Seconds{} ? between / all : 0.0;
}

}  // namespace

double launched_demand_factor(const NoiseModel& noise, const JobKey& key) {
  return noise.memory_varies ? demand_factor(uniform(draw_of(key, Purpose::memory))) : 1.0;
}

StepStatus launched_status(const StepReport& report, Bytes demand) {
  if (report.status == StepStatus::invalid || report.status == StepStatus::oom_init) {
    return report.status;
  }
  return demand > report.memory.capacity ? StepStatus::oom_late : StepStatus::ok;
}

std::int64_t short_steps(double fidelity, std::int64_t steps) {
  SIM_ASSERT(fidelity > 0.0 && fidelity <= 1.0, fidelity);
  const double share = std::round(fidelity * static_cast<double>(steps));
  return std::max(std::int64_t{1}, static_cast<std::int64_t>(share));
}

StepDistribution measured_steps(const StepDistribution& whole, const StepJitter& jitter,
                                const JobTerms& terms, double p, const JobKey& key) {
  const std::int64_t ran = launched_steps(terms);
  if (ran >= terms.steps || p <= 0.0) return whole;
  Draw draw = draw_of(key, Purpose::noise);
  draw.seed = mix(draw.seed);  // independent of the luck, which has the same name
  const double unseen = 1.0 / static_cast<double>(ran) - 1.0 / static_cast<double>(terms.steps);
  constexpr double logit_max = 36.0;  // of the largest number below 1
  const double error = standard_normal(draw) * std::sqrt(unseen / (p * (1.0 - p)));
  const double logit = std::clamp(log(p / (1.0 - p)) + error, -logit_max, logit_max);
  const double odds = exp(logit);
  return {.mean = whole.mean,
          .percentile = slowest_quantile(jitter.gpu_mean, terms.gpus, odds / (1.0 + odds))};
}

std::int64_t steps_until_divergence(double after, std::int64_t steps) {
  SIM_ASSERT(after >= 0.0 && after < 1.0, after);
  const auto done = static_cast<std::int64_t>(after * static_cast<double>(steps));
  return std::min(done + 1, steps);
}

JobOutcome steady_job(const IdealJob& job, const JobTerms& terms, const StepDistribution& steps) {
  switch (job.status) {
    case StepStatus::ok:
      return job.diverges_after ? diverging_run(job.step, *job.diverges_after, terms, steps)
                                : run(job.step, terms, steps);
    case StepStatus::invalid:
      return {.end = JobEnd::invalid};
    case StepStatus::oom_init:
      return {.end = JobEnd::oom_init, .duration = min(terms.startup, terms.time_limit)};
    case StepStatus::oom_late:
      break;
  }
  const Seconds first_step = (1.0 + steps.mean) * job.step;
  return {.end = JobEnd::oom_late, .duration = min(terms.startup + first_step, terms.time_limit)};
}

JobOutcome launched_job(const IdealJob& job, const JobTerms& terms, const StepDistribution& steps,
                        const RunNoise& noise, const FailureModel& failures, const JobKey& key) {
  const JobOutcome steady = steady_job(job, terms, steps);
  if (steady.end != JobEnd::completed) return steady;
  const RunLuck luck = draw_luck(noise, terms.nodes, draw_of(key, Purpose::noise));
  const JobOutcome outcome = run(with_luck(job.step, job.between_nodes, luck), terms, steps);
  const auto interruption =
      first_interruption(failures, terms.gpus, outcome.duration, draw_of(key, Purpose::failure));
  if (!interruption) return outcome;
  return interruption->hangs ? JobOutcome{.end = JobEnd::timeout, .duration = terms.time_limit}
                             : JobOutcome{.end = JobEnd::infra, .duration = interruption->after};
}

Seconds exposed_between_nodes(const StepReport& report, const ItemisedStep& items) {
  std::array<Seconds, step_part_count> terms{};
  std::array<Seconds, step_part_count> between{};
  for (std::size_t i = 0; i < step_item_count; ++i) {
    const auto term = static_cast<StepItem>(i);
    const auto part = static_cast<std::size_t>(part_of(term));
    terms[part] += items.terms[i];
    between[part] += share_between_nodes(items, term) * items.terms[i];
  }
  Seconds sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] > Seconds{}) sum += (between[i] / terms[i]) * report.parts[i];
  }
  return sum;
}

}  // namespace cubicbench::sim
