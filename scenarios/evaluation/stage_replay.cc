#include "scenarios/evaluation/stage_replay.h"

#include "sim/engine/block_cost.h"
#include "sim/memory/allocation_trace.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/plan_cluster.h"

namespace cubicbench::scenarios {
namespace {

constexpr sim::Bytes roomy_capacity = {0x1p44};
constexpr double layer_passes_max = 1e5;  // longer traces take seconds and gigabytes

}  // namespace

sim::StageMemory stage_memory(const Scenario& scenario, const sim::Plan& plan,
                              sim::StageChoice choice, const sim::Workspace& workspace) {
  if (is_transformer(kind_of(scenario.workload))) {
    const sim::StepProgram& program = workspace.program;
    return sim::stage_memory(program.allocations, choice, sim::communicators(program.mesh, plan),
                             scenario.stack);
  }
  const sim::RecommendationProgram& program = workspace.recommendation;
  return sim::stage_memory(program.allocations, choice, program.communicators(), scenario.stack);
}

std::optional<StageReplay> replay_stage(const Scenario& scenario, const sim::Plan& plan,
                                        sim::StageChoice choice, StageExchange exchange,
                                        const sim::Workspace& workspace) {
  const auto* model = std::get_if<sim::Transformer>(&scenario.workload);
  if (model == nullptr || plan.offload != sim::Offload::none) return std::nullopt;
  if (sim::splits_backward(plan.schedule)) return std::nullopt;  // passes in another order
  if (!sim::traces_layers(*model)) return std::nullopt;
  if (sim::updates_matrices(plan.optimizer)) return std::nullopt;  // traces know one kind of state
  const sim::StepProgram& program = workspace.program;
  const std::size_t chosen = sim::chosen_holder(program.allocations, choice, scenario.stack);
  const sim::Holder& holder = program.allocations.holders()[chosen];
  const auto micro_batches = static_cast<std::int64_t>(program.micro_batches);
  const sim::StageRun& run = program.runs[chosen];
  if (sim::in_flight(plan, micro_batches, run.first) * run.layers > layer_passes_max) {
    return std::nullopt;
  }
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  sim::PassTimes times = sim::pass_times(program, plan, cluster, scenario.stack);
  times.exchanges_wait = exchange == StageExchange::waits;
  sim::AllocationTrace trace;
  sim::write_trace(*model, plan, scenario.stack, program, run, holder, times, trace);
  const sim::Bytes capacity = sim::allocator_capacity(
      scenario.cluster.device, sim::communicators(program.mesh, plan), scenario.stack);
  sim::AllocatorReplay replay;
  StageReplay result;
  result.stage = holder.first;
  sim::ReplayReport report = replay.run(trace, capacity);
  if (report.out_of_memory) {
    report = replay.run(trace, roomy_capacity);
  } else if (scenario.stack.allocator_replayed) {
    result.reserved = report.reserved;
  }
  result.peak = report.peak;
  result.allocated = report.allocated;
  return result;
}

sim::StageMemory replayed_stage_memory(const Scenario& scenario, const sim::Plan& plan,
                                       sim::StageChoice choice, StageExchange exchange,
                                       const sim::Workspace& workspace) {
  sim::StageMemory memory = stage_memory(scenario, plan, choice, workspace);
  const auto replay = replay_stage(scenario, plan, choice, exchange, workspace);
  if (replay && replay->reserved) {
    const sim::Bytes outside = memory.device - memory.reserved;
    memory.reserved = *replay->reserved;
    memory.device = memory.reserved + outside;
  }
  return memory;
}

}  // namespace cubicbench::scenarios
