#include "datasets/jobs/physics.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "datasets/mapping/network_choice.h"
#include "scenarios/evaluation/evaluate.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/engine/step_energy.h"
#include "sim/plan/plan_cluster.h"

namespace cubicbench::datasets {
namespace {

using sim::MemoryPart;
using sim::StepPart;

/// In the order in which write_physics() writes them.
constexpr std::array<std::string_view, 15> names{
    simulated_column,
    memory_column,
    slow_column,
    "host_share",
    "bubble_share",
    "head_share",
    "model_traffic_share",
    "data_traffic_share",
    "memory_share_at_start",
    "activation_share",
    "log2_gpus",
    "log2_data_parallel",
    "log2_tensor_parallel",
    "log2_pipeline_parallel",
    "pipelined",
};

double share_of(const sim::StepReport& report, std::initializer_list<StepPart> parts) {
  double sum = 0.0;
  for (const StepPart part : parts) sum += report.parts[static_cast<std::size_t>(part)].value;
  return sum / report.step.value;
}

double share_of(const sim::MemoryReport& memory, std::initializer_list<MemoryPart> parts) {
  double sum = 0.0;
  for (const MemoryPart part : parts) sum += memory.parts[static_cast<std::size_t>(part)].value;
  return sum / memory.capacity.value;
}

/// The step in a job whose ranks keep each other waiting. A job on one node knows no such state.
sim::Seconds slow_step(const scenarios::Scenario& scenario, const sim::Plan& plan,
                       sim::Workspace& workspace) {
  const bool one_node = sim::nodes_of(plan, scenario.cluster) == 1;
  const sim::NetworkState state = one_node ? scenario.cluster.state : slow_network();
  return scenarios::evaluate_roomy(scenario, plan, state, workspace).step;
}

double log_metric(const scenarios::Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                  sim::Seconds busy) {
  return sim::log(scenarios::objective_value(scenario, plan, step, busy));
}

double log2_of(std::int64_t count) { return sim::log2(static_cast<double>(count)); }

}  // namespace

std::vector<Column> physics_columns() {
  std::vector<Column> columns;
  for (const std::string_view name : names) columns.push_back({.name = std::string(name)});
  return columns;
}

void write_physics(const scenarios::Scenario& scenario, const sim::Plan& plan,
                   sim::Workspace& workspace, std::span<double> physics) {
  SIM_ASSERT(physics.size() == names.size(), physics.size());
  std::ranges::fill(physics, std::numeric_limits<double>::quiet_NaN());
  const sim::StepReport asked = scenarios::evaluate(scenario, plan, workspace);
  if (asked.status == sim::StepStatus::invalid) return;
  const sim::StepReport timed =
      asked.status == sim::StepStatus::ok
          ? asked
          : scenarios::evaluate_roomy(scenario, plan, scenario.cluster.state, workspace);
  const sim::Seconds slow = slow_step(scenario, plan, workspace);
  const sim::Seconds busy = sim::busy_time(timed);
  const sim::MemoryReport& memory = asked.memory;
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  const std::array cells{
      log_metric(scenario, plan, timed.step, busy),
      sim::largest_demand(memory) / memory.capacity,
      log_metric(scenario, plan, slow, busy),
      share_of(timed, {StepPart::host}),
      share_of(timed, {StepPart::pipeline_bubble}),
      share_of(timed, {StepPart::head_and_loss}),
      share_of(timed, {StepPart::tensor_communication, StepPart::context_communication,
                       StepPart::pipeline_communication, StepPart::embedding_communication}),
      share_of(timed, {StepPart::data_communication}),
      memory.demand_at_start / memory.capacity,
      share_of(memory,
               {MemoryPart::activations, MemoryPart::logits, MemoryPart::embedding_activations}),
      log2_of(cluster.gpus),
      log2_of(sim::data_parallel(plan, cluster)),
      log2_of(plan.tensor_parallel),
      log2_of(plan.pipeline_parallel),
      plan.pipeline_parallel > 1 ? 1.0 : 0.0};
  static_assert(cells.size() == names.size());
  std::ranges::copy(cells, physics.begin());
}

}  // namespace cubicbench::datasets
