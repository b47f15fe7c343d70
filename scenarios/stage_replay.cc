#include "scenarios/stage_replay.h"

#include "scenarios/stage_memory.h"
#include "sim/engine/pass_times.h"
#include "sim/memory/allocation_trace.h"
#include "sim/memory/peak_memory.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/fsdp.h"

namespace cubicbench::scenarios {
namespace {

constexpr sim::Bytes roomy_capacity = {0x1p44};

}  // namespace

std::optional<StageReplay> replay_stage(const Scenario& scenario, const sim::Plan& plan,
                                        sim::StageChoice choice, StageExchange exchange,
                                        const sim::Workspace& workspace) {
  const auto* model = std::get_if<sim::Transformer>(&scenario.workload);
  if (model == nullptr || plan.offload != sim::Offload::none) return std::nullopt;
  const sim::StepProgram& program = workspace.program;
  const std::size_t chosen = sim::chosen_holder(program.allocations, choice, scenario.stack);
  const sim::Holder& holder = program.allocations.holders()[chosen];
  sim::PassTimes times = sim::pass_times(program, plan, scenario.cluster, scenario.stack);
  times.exchanges_wait = exchange == StageExchange::waits;
  sim::AllocationTrace trace;
  sim::write_trace(*model, plan, scenario.stack, program, program.runs[chosen], holder, times,
                   trace);
  const sim::Bytes capacity = sim::allocator_capacity(
      scenario.cluster.device, sim::communicators(program.mesh, plan), scenario.stack);
  sim::AllocatorReplay replay;
  StageReplay result;
  result.stage = holder.first;
  result.report = replay.run(trace, capacity);
  const sim::ReplayReport roomy =
      result.report.out_of_memory ? replay.run(trace, roomy_capacity) : result.report;
  result.peak = roomy.peak;
  result.allocated = roomy.allocated;
  return result;
}

sim::StageMemory replayed_stage_memory(const Scenario& scenario, const sim::Plan& plan,
                                       sim::StageChoice choice, StageExchange exchange,
                                       const sim::Workspace& workspace) {
  sim::StageMemory memory = stage_memory(scenario, plan, choice, workspace);
  if (sim::traits(plan.sharding).shards_parameters) return memory;
  if (const auto replay = replay_stage(scenario, plan, choice, exchange, workspace)) {
    const sim::Bytes outside = memory.device - memory.reserved;
    memory.reserved = replay->report.reserved;
    memory.device = memory.reserved + outside;
  }
  return memory;
}

}  // namespace cubicbench::scenarios
