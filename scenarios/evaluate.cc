#include "scenarios/evaluate.h"

namespace cubicbench::scenarios {
namespace {

double tokens_per_step(const Scenario& scenario, const sim::Plan& plan) {
  return static_cast<double>(plan.global_batch) * static_cast<double>(scenario.workload.sequence);
}

/// Achieved over peak FLOP/s, when one token costs `flops_per_token`.
double utilisation(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                   double flops_per_token) {
  const auto dtype = static_cast<std::size_t>(plan.dtype);
  const double peak =
      scenario.cluster.device.matmul_peak[dtype].value * static_cast<double>(scenario.cluster.gpus);
  return flops_per_token * tokens_per_s(scenario, plan, step) / peak;
}

}  // namespace

sim::StepReport evaluate(const Scenario& scenario, const sim::Plan& plan,
                         sim::Workspace& workspace) {
  return sim::evaluate(scenario.workload, plan, scenario.cluster, scenario.stack, workspace);
}

double tokens_per_s(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  return tokens_per_step(scenario, plan) / step.value;
}

double samples_per_s(const sim::Plan& plan, sim::Seconds step) {
  return static_cast<double>(plan.global_batch) / step.value;
}

double mfu(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  return utilisation(scenario, plan, step, sim::mfu_flops_per_token(scenario.workload));
}

double mfu_6n(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  return utilisation(scenario, plan, step, 6.0 * sim::mfu_parameters(scenario.workload));
}

double objective_value(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step) {
  switch (scenario.objective.metric) {
    case Metric::step_time_s:
      return step.value;
    case Metric::samples_per_s:
      return samples_per_s(plan, step);
    case Metric::tokens_per_s:
      return tokens_per_s(scenario, plan, step);
    case Metric::tokens_per_s_per_gpu:
      return tokens_per_s(scenario, plan, step) / static_cast<double>(scenario.cluster.gpus);
    case Metric::mfu:
      return mfu(scenario, plan, step);
  }
  return 0.0;
}

}  // namespace cubicbench::scenarios
