#include "scenarios/truth/instance.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/lowered_step.h"
#include "sim/base/check.h"
#include "sim/engine/step_energy.h"
#include "sim/plan/plan_cluster.h"
#include "sim/truth/instance_constants.h"
#include "support/json/canonical.h"
#include "support/sha256.h"

namespace cubicbench::scenarios {
namespace {

std::uint64_t seed_of(const Scenario& scenario, std::uint64_t number) {
  if (scenario.seal && number > 0) return scenario.seal->seed(scenario.sha256, number);
  return seed_of_text("cubicbench instance\nscenario " + scenario.sha256 + "\ninstance " +
                      std::to_string(number) + "\n");
}

/// The model of that name, which a reader has checked.
template <class Model>
Model model_of(const Model* (*find)(std::string_view), const std::string& name) {
  const Model* const model = find(name);
  SIM_ASSERT(model != nullptr, name);
  return *model;
}

/// The percentile of the metric as a quantile of the step time: every metric but the step time
/// itself falls when the step grows.
double step_quantile(const Objective& objective) {
  const double p = objective.percentile / 100.0;
  return objective.metric == Metric::step_time_s ? p : 1.0 - p;
}

sim::JobTerms job_terms(const Scenario& scenario, const sim::Plan& plan) {
  return {.steps = scenario.job.steps,
          .startup = scenario.job.startup,
          .time_limit = scenario.job.time_limit,
          .gpus = sim::gpus_of(plan, scenario.cluster),
          .nodes = sim::nodes_of(plan, scenario.cluster)};
}

/// Enumerators correspond.
Reason reason_of(sim::JobEnd end) { return static_cast<Reason>(end); }
static_assert(static_cast<int>(Reason::none) == static_cast<int>(sim::JobEnd::completed) &&
              static_cast<int>(Reason::invalid) == static_cast<int>(sim::JobEnd::invalid) &&
              static_cast<int>(Reason::oom_init) == static_cast<int>(sim::JobEnd::oom_init) &&
              static_cast<int>(Reason::oom_late) == static_cast<int>(sim::JobEnd::oom_late) &&
              static_cast<int>(Reason::timeout) == static_cast<int>(sim::JobEnd::timeout) &&
              static_cast<int>(Reason::infra) == static_cast<int>(sim::JobEnd::infra) &&
              static_cast<int>(Reason::numeric) == static_cast<int>(sim::JobEnd::numeric));

/// Allocators deal in whole bytes.
sim::Bytes whole(sim::Bytes bytes) { return sim::Bytes{std::ceil(bytes.value)}; }

/// What a launch that needed `demand` lacked, before the first step or in it. Start-up has no luck.
sim::Bytes lacked(const sim::StepReport& report, sim::Bytes demand) {
  const bool at_start = report.status == sim::StepStatus::oom_init;
  return (at_start ? report.memory.demand_at_start : demand) - report.memory.capacity;
}

/// Names the 63 configurations. Part of every recorded result: never changes.
constexpr std::uint64_t sample_seed = 0x7472757468;
constexpr std::uint64_t sample_size = 63;

TrialOutcome outside_the_space() {
  TrialOutcome outcome;
  outcome.state = TrialState::fail;
  outcome.reason = Reason::invalid;
  return outcome;
}

std::string text_of(const TrueValue& value) {
  return value.reason == Reason::none ? support::shortest(value.value)
                                      : std::string(name_of(value.reason));
}

}  // namespace

Instance::Instance(const Scenario& scenario, std::uint64_t number)
    : scenario_(scenario), number_(number), seed_(seed_of(scenario, number)) {
  const sim::Machine machine =
      sim::machine_of_instance({scenario.cluster, scenario.stack}, number, seed_);
  scenario_.cluster = machine.cluster;
  scenario_.stack = machine.stack;
  SearchSpace space = std::exchange(scenario_.space, SearchSpace());
  spaceless_ = scenario_;
  scenario_.space = std::move(space);
  if (scenario.seal && (number > 0 || scenario.is_sealed_member)) {
    salt_sha256_ = scenario.seal->salt_sha256();
  }
  noise_ = model_of(sim::find_noise_model, scenario.truth.noise);
  failures_ = model_of(sim::find_failure_model, scenario.truth.failures);
  numeric_ = model_of(sim::find_numeric_model, scenario.truth.numeric);
  drift_ = model_of(sim::find_drift_model, scenario.truth.drift);
  sizes_.push_back(size_on({}));
  const int gpus = scenario_.space.find("gpus");
  if (gpus < 0) return;
  for (const std::int64_t count :
       scenario_.space.parameters()[static_cast<std::size_t>(gpus)].values) {
    sizes_.push_back(size_on({.gpus = count}));
  }
}

/// Takes time proportional to the GPUs.
Instance::Size Instance::size_on(const sim::Plan& plan) const {
  const sim::JobTerms terms = job_terms(scenario_, plan);
  return {.terms = terms,
          .steps = sim::step_distribution(noise_.jitter, terms.gpus,
                                          step_quantile(scenario_.objective))};
}

Instance::Size Instance::size_of(const sim::Plan& plan) const {
  const std::int64_t gpus = sim::gpus_of(plan, scenario_.cluster);
  for (const Size& size : sizes_) {
    if (size.terms.gpus == gpus) return size;
  }
  return size_on(plan);
}

/// The job as far as the launch runs it.
Instance::Size Instance::launched_size(const sim::Plan& plan, double fidelity,
                                       const sim::JobKey& key) const {
  Size size = size_of(plan);
  if (fidelity == 1.0) return size;
  size.terms.short_of = sim::short_steps(fidelity, size.terms.steps);
  size.steps = sim::measured_steps(size.steps, noise_.jitter, size.terms,
                                   step_quantile(scenario_.objective), key);
  return size;
}

double Instance::training_days(const sim::Plan& plan, sim::Seconds step) const {
  const sim::Seconds percentile_step = (1.0 + size_of(plan).steps.percentile) * step;
  return scenarios::training_days(scenario_, plan, percentile_step);
}

std::optional<sim::Divergence> Instance::divergence(const sim::Plan& plan) const {
  return sim::divergence(numeric_, plan, seed_);
}

sim::IdealJob Instance::ideal_job(const sim::Plan& plan, sim::StepStatus status,
                                  sim::Seconds step) const {
  sim::IdealJob job{.status = status, .step = step};
  if (status != sim::StepStatus::ok) return job;
  if (const auto diverges = divergence(plan)) job.diverges_after = diverges->after;
  return job;
}

TrueValue Instance::true_value(const sim::Plan& plan, sim::Workspace& workspace) const {
  const sim::StepReport report = evaluate(scenario_, plan, workspace);
  return true_value(plan, report.status, report.step, sim::busy_time(report));
}

TrueValue Instance::true_value(const sim::Plan& plan, sim::StepStatus status, sim::Seconds step,
                               sim::Seconds busy) const {
  const auto judged = [&](const Size& size) -> TrueValue {
    const sim::JobOutcome outcome =
        sim::steady_job(ideal_job(plan, status, step), size.terms, size.steps);
    if (outcome.end != sim::JobEnd::completed) return {.reason = reason_of(outcome.end)};
    if (scenario_.objective.deadline && misses_deadline(scenario_, plan, outcome.percentile_step)) {
      return {.reason = Reason::timeout};
    }
    return {.reason = Reason::none,
            .value = objective_value(scenario_, plan, outcome.percentile_step, busy)};
  };
  // Enumerations ask for millions a second: most of them spare the search and the copy.
  const Size& whole = sizes_.front();
  return sim::gpus_of(plan, scenario_.cluster) == whole.terms.gpus ? judged(whole)
                                                                   : judged(size_of(plan));
}

TrueValue Instance::true_value(std::span<const std::int64_t> configuration,
                               sim::Workspace& workspace) const {
  sim::Plan plan;
  scenario_.space.apply(configuration, plan);
  return true_value(plan, workspace);
}

sim::JobKey Instance::key_of(std::span<const std::int64_t> configuration,
                             std::int64_t attempt) const {
  return {
      .seed = seed_, .configuration = scenario_.space.number_of(configuration), .attempt = attempt};
}

TrialOutcome Instance::launch(std::span<const std::int64_t> configuration, std::int64_t attempt,
                              sim::Workspace& workspace, double started_h, double fidelity) const {
  if (!scenario_.space.contains(configuration)) return outside_the_space();
  sim::Plan plan;
  scenario_.space.apply(configuration, plan);
  const sim::JobKey key = key_of(configuration, attempt);
  const double progress = sim::drift_progress(drift_, started_h, seed_);
  if (progress != 0.0) return launch_later(progress, plan, key, fidelity, workspace);
  const sim::StepReport report = evaluate(scenario_, plan, workspace);
  return launch_on(scenario_, report, plan, key, fidelity, workspace);
}

Instance::JudgedLaunch Instance::judged_launch(std::span<const std::int64_t> configuration,
                                               std::int64_t attempt, sim::Workspace& workspace,
                                               double started_h, double fidelity) const {
  if (!scenario_.space.contains(configuration)) {
    return {.outcome = outside_the_space(), .truth = {.reason = Reason::invalid}};
  }
  sim::Plan plan;
  scenario_.space.apply(configuration, plan);
  const sim::JobKey key = key_of(configuration, attempt);
  const double progress = sim::drift_progress(drift_, started_h, seed_);
  const sim::StepReport report = evaluate(scenario_, plan, workspace);
  return {.outcome = progress == 0.0 ? launch_on(scenario_, report, plan, key, fidelity, workspace)
                                     : launch_later(progress, plan, key, fidelity, workspace),
          .truth = true_value(plan, report.status, report.step, sim::busy_time(report))};
}

TrialOutcome Instance::launch_later(double progress, const sim::Plan& plan, const sim::JobKey& key,
                                    double fidelity, sim::Workspace& workspace) const {
  Scenario later = spaceless_;
  later.stack = sim::released(scenario_.stack, drift_, progress);
  return launch_on(later, evaluate(later, plan, workspace), plan, key, fidelity, workspace);
}

sim::IdealJob Instance::launched(const Scenario& machine, const sim::Plan& plan,
                                 const sim::StepReport& report, sim::StepStatus status,
                                 sim::Workspace& workspace) const {
  // The engine times no step that does not fit, but its launch pays for the first one, and with
  // luck runs on, at the pace of a full device.
  const bool untimed = report.status == sim::StepStatus::oom_late;
  const sim::StepReport roomy = untimed ? roomy_step(machine, plan, workspace) : sim::StepReport{};
  const sim::StepReport& timed = untimed ? roomy : report;
  sim::IdealJob job = ideal_job(plan, status, timed.step);
  job.busy = sim::busy_time(timed);
  if (status != sim::StepStatus::ok) return job;
  if (untimed) job.step = (1.0 + sim::retry_share(report.memory)) * roomy.step;
  const bool network_varies = noise_.run.slow_network_excess > 0.0;
  if (network_varies && sim::nodes_of(plan, machine.cluster) > 1) {
    job.between_nodes = step_between_nodes(machine, plan, timed, workspace);
  }
  return job;
}

TrialOutcome Instance::launch_on(const Scenario& machine, const sim::StepReport& report,
                                 const sim::Plan& plan, const sim::JobKey& key, double fidelity,
                                 sim::Workspace& workspace) const {
  TrialOutcome outcome;
  const sim::Bytes demand =
      whole(sim::launched_demand_factor(noise_, key) * sim::largest_demand(report.memory));
  const sim::StepStatus status = sim::launched_status(report, demand);
  const Size size = launched_size(plan, fidelity, key);
  const sim::IdealJob ideal = launched(machine, plan, report, status, workspace);
  const sim::JobOutcome job =
      sim::launched_job(ideal, size.terms, size.steps, noise_.run, failures_, key);
  outcome.reason = reason_of(job.end);
  outcome.duration_h = job.duration.value / 3600.0;
  outcome.cost_gpu_hours = outcome.duration_h * static_cast<double>(size.terms.gpus);
  if (job.end == sim::JobEnd::completed && misses_deadline(machine, plan, job.percentile_step)) {
    outcome.reason = Reason::timeout;
  } else if (job.end == sim::JobEnd::completed) {
    outcome.value = objective_value(machine, plan, job.percentile_step, ideal.busy);
    outcome.metrics = {{"step_time_s", job.mean_step.value}, {"peak_bytes", demand.value}};
    return outcome;
  }
  outcome.state = TrialState::fail;
  if (job.end == sim::JobEnd::oom_init || job.end == sim::JobEnd::oom_late) {
    outcome.metrics = {{"over_bytes", lacked(report, demand).value}};
  }
  return outcome;
}

std::string truth_sha256(const Instance& instance) {
  const Scenario& scenario = instance.scenario();
  const SearchSpace& space = scenario.space;
  sim::Workspace workspace;
  const std::string sealed =
      instance.salt_sha256().empty() ? "" : "\nsalt_sha256 " + instance.salt_sha256();
  std::string text = "cubicbench truth\nscenario " + scenario.sha256 + "\ninstance " +
                     std::to_string(instance.number()) + sealed + "\nbaseline " +
                     text_of(instance.true_value(scenario.baseline, workspace)) + "\n";
  Configuration configuration(space.size());
  for (std::uint64_t draw = 0; draw < sample_size && space.count() > 0; ++draw) {
    space.sample(sample_seed, draw, configuration);
    text += std::to_string(space.number_of(configuration)) + " " +
            text_of(instance.true_value(configuration, workspace)) + "\n";
  }
  return support::sha256_hex(text);
}

}  // namespace cubicbench::scenarios
