#include "datasets/physics.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "scenarios/evaluate.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {
namespace {

using sim::MemoryPart;
using sim::StepPart;

/// The first two are simulated_column and memory_column.
constexpr std::array<std::string_view, 9> names{
    simulated_column,  memory_column,         "host_share",         "bubble_share",
    "head_share",      "model_traffic_share", "data_traffic_share", "memory_share_at_start",
    "activation_share"};

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

/// The step as if the device's memory held anything.
sim::StepReport roomy_step(const scenarios::Scenario& scenario, const sim::Plan& plan,
                           sim::Workspace& workspace) {
  sim::Cluster cluster = scenario.cluster;
  cluster.device.memory = sim::Bytes{0x1p60};
  return sim::evaluate(scenario.workload, plan, cluster, scenario.stack, workspace);
}

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
      asked.status == sim::StepStatus::ok ? asked : roomy_step(scenario, plan, workspace);
  const sim::MemoryReport& memory = asked.memory;
  physics[0] = sim::log(scenarios::objective_value(scenario, plan, timed.step));
  physics[1] = std::max(memory.reserved, memory.reserved_at_start) / memory.capacity;
  physics[2] = share_of(timed, {StepPart::host});
  physics[3] = share_of(timed, {StepPart::pipeline_bubble});
  physics[4] = share_of(timed, {StepPart::head_and_loss});
  physics[5] =
      share_of(timed, {StepPart::tensor_communication, StepPart::context_communication,
                       StepPart::pipeline_communication, StepPart::embedding_communication});
  physics[6] = share_of(timed, {StepPart::data_communication});
  physics[7] = memory.reserved_at_start / memory.capacity;
  physics[8] = share_of(
      memory, {MemoryPart::activations, MemoryPart::logits, MemoryPart::embedding_activations});
}

}  // namespace cubicbench::datasets
