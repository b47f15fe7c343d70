#include "scenarios/evaluation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "sim/base/check.h"
#include "sim/engine/step_energy.h"
#include "sim/plan/plan_cluster.h"
#include "support/hours.h"
#include "support/input_error.h"
#include "support/json/canonical.h"

namespace cubicbench::scenarios {
namespace {

/// Throws InputError where a step has more passes than memory holds, or is longer than the clock of
/// the event engine reaches, whatever is wrong with its cluster.
void check_playable(const Scenario& scenario, const sim::Plan& plan, const sim::Cluster& cluster,
                    const sim::Conditions& conditions, sim::Workspace& workspace) {
  constexpr double passes_max = 2e7;
  constexpr double seconds_max = 2e6;
  const sim::StepReport ideal =
      sim::evaluate(scenario.workload, plan, cluster, scenario.stack, workspace);
  const auto* model = std::get_if<sim::Transformer>(&scenario.workload);
  const double layers = model == nullptr ? 1.0 : static_cast<double>(model->layers);
  const double passes = ideal.micro_batches * layers;
  if (passes > passes_max) {
    throw support::InputError(
        scenario.name,
        "expected a step of at most 20 million passes over layers for the event "
        "engine, got " +
            support::shortest(std::round(passes)));
  }
  double slower = 1.0;
  for (const sim::SlowRank& slow : conditions.slow_ranks) slower = std::max(slower, slow.factor);
  double share = 1.0;
  for (const sim::DegradedLink& link : conditions.degraded_links) {
    share = std::min(share, link.share);
  }
  if (ideal.step.value * slower / share > seconds_max) {
    throw support::InputError(
        scenario.name,
        "expected a step of at most 23 days for the event engine, slow ranks and "
        "links included, got one of up to " +
            support::shortest(std::round(ideal.step.value * slower / share)) + " s");
  }
}

sim::StepReport by_engine_of(const Scenario& scenario, const sim::Plan& plan,
                             const sim::Cluster& cluster, sim::Workspace& workspace) {
  if (scenario.engine == Engine::event) {
    check_playable(scenario, plan, cluster, {}, workspace);
    return sim::play(scenario.workload, plan, cluster, scenario.stack, {}, workspace).step;
  }
  return sim::evaluate(scenario.workload, plan, cluster, scenario.stack, workspace);
}

double gpus_taken(const Scenario& scenario, const sim::Plan& plan) {
  return static_cast<double>(sim::gpus_of(plan, scenario.cluster));
}

double tokens_per_sample(const sim::Transformer& model) {
  return static_cast<double>(model.sequence);
}

double flops_per_sample(const sim::Transformer& model) {
  return sim::mfu_flops_per_token(model) * tokens_per_sample(model);
}
double flops_per_sample(const sim::Recommendation& model) {
  return sim::mfu_flops_per_sample(model);
}

double flops_per_sample_6n(const sim::Transformer& model) {
  return 6.0 * sim::mfu_parameters(model) * tokens_per_sample(model);
}
double flops_per_sample_6n(const sim::Recommendation& model) {
  return sim::mfu_flops_per_sample(model);
}

/// Of a recommendation model 0: it has no tokens, and no metric asks for them.
double tokens_per_step(const Scenario& scenario, const sim::Plan& plan) {
  const auto* const model = std::get_if<sim::Transformer>(&scenario.workload);
  return model == nullptr ? 0.0 : samples_per_step(scenario, plan) * tokens_per_sample(*model);
}

/// Achieved over peak FLOP/s, when one sample costs `flops`.
double utilisation(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                   double flops) {
  const auto dtype = sim::row_of(plan.dtype);
  const double peak = scenario.cluster.device.matmul_peak[dtype].value * gpus_taken(scenario, plan);
  return flops * samples_per_s(scenario, plan, step) / peak;
}

}  // namespace

sim::StepReport evaluate(const Scenario& scenario, const sim::Plan& plan,
                         sim::Workspace& workspace) {
  if (sim::gpus_of(plan, scenario.cluster) == scenario.cluster.gpus) {
    return by_engine_of(scenario, plan, scenario.cluster, workspace);
  }
  return by_engine_of(scenario, plan, sim::cluster_of(plan, scenario.cluster), workspace);
}

sim::StepReport evaluate_roomy(const Scenario& scenario, const sim::Plan& plan,
                               const sim::NetworkState& state, sim::Workspace& workspace) {
  sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  cluster.state = state;
  cluster.device.memory = boundless_memory;
  return by_engine_of(scenario, plan, cluster, workspace);
}

sim::EventReport play(const Scenario& scenario, const sim::Plan& plan,
                      const sim::EventOptions& options, sim::Workspace& workspace) {
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  check_playable(scenario, plan, cluster, options.conditions, workspace);
  return sim::play(scenario.workload, plan, cluster, scenario.stack, options, workspace);
}

double samples_per_step(const Scenario& scenario, const sim::Plan& plan) {
  if (is_transformer(kind_of(scenario.workload))) return static_cast<double>(plan.global_batch);
  return static_cast<double>(plan.batch_per_gpu) * gpus_taken(scenario, plan);
}

double samples_per_s(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  return samples_per_step(scenario, plan) / step.value;
}

std::optional<double> tokens_per_s(const Scenario& scenario, const sim::Plan& plan,
                                   sim::Seconds step) {
  const auto* const model = std::get_if<sim::Transformer>(&scenario.workload);
  if (model == nullptr) return std::nullopt;
  return samples_per_step(scenario, plan) * tokens_per_sample(*model) / step.value;
}

double training_days(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  constexpr double seconds_per_day = 24.0 * support::seconds_per_hour;
  SIM_ASSERT(scenario.objective.deadline.has_value(), scenario.name);
  const double rate = tokens_per_s(scenario, plan, step).value_or(0.0);
  return scenario.objective.deadline->tokens / rate / seconds_per_day;
}

bool misses_deadline(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  const std::optional<Deadline>& deadline = scenario.objective.deadline;
  return deadline && training_days(scenario, plan, step) > deadline->days;
}

double mfu(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  const double flops =
      std::visit([](const auto& model) { return flops_per_sample(model); }, scenario.workload);
  return utilisation(scenario, plan, step, flops);
}

double mfu_6n(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  const double flops =
      std::visit([](const auto& model) { return flops_per_sample_6n(model); }, scenario.workload);
  return utilisation(scenario, plan, step, flops);
}

double step_energy_j(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                     sim::Seconds busy) {
  const sim::Device& device = scenario.cluster.device;
  SIM_ASSERT(device.board_watts > 0.0, scenario.device);
  return gpus_taken(scenario, plan) * sim::gpu_step_energy_j(device, step, busy);
}

double step_price_usd(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  SIM_ASSERT(scenario.usd_per_gpu_hour.has_value(), scenario.name);
  return *scenario.usd_per_gpu_hour * gpus_taken(scenario, plan) * step.value /
         support::seconds_per_hour;
}

double objective_value(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                       sim::Seconds busy) {
  switch (scenario.objective.metric) {
    case Metric::step_time_s:
      return step.value;
    case Metric::samples_per_s:
      return samples_per_s(scenario, plan, step);
    case Metric::tokens_per_s:
      return tokens_per_s(scenario, plan, step).value_or(0.0);
    case Metric::tokens_per_s_per_gpu:
      return tokens_per_s(scenario, plan, step).value_or(0.0) / gpus_taken(scenario, plan);
    case Metric::mfu:
      return mfu(scenario, plan, step);
    case Metric::tokens_per_gpu_hour:
      return tokens_per_s(scenario, plan, step).value_or(0.0) * support::seconds_per_hour /
             gpus_taken(scenario, plan);
    case Metric::tokens_per_joule:
      return tokens_per_step(scenario, plan) / step_energy_j(scenario, plan, step, busy);
    case Metric::samples_per_joule:
      return samples_per_step(scenario, plan) / step_energy_j(scenario, plan, step, busy);
    case Metric::tokens_per_usd:
      return tokens_per_step(scenario, plan) / step_price_usd(scenario, plan, step);
    case Metric::samples_per_usd:
      return samples_per_step(scenario, plan) / step_price_usd(scenario, plan, step);
    case Metric::column:
      break;  // of a table, of which nothing is simulated
  }
  return 0.0;
}

}  // namespace cubicbench::scenarios
