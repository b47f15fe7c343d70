#include "sim/engine/repeated_transformer.h"

#include "sim/engine/settings_read.h"
#include "sim/engine/stage_cost.h"
#include "sim/memory/memory_report.h"
#include "sim/memory/peak_memory.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_transformer.h"
#include "sim/program/stage_runs.h"

namespace cubicbench::sim {
namespace {

// Rows of the tables, as powers of two: as many as the innermost parameters of a space have
// combinations, few enough to stay in the caches of a core.
constexpr unsigned many = 9;
constexpr unsigned some = 6;
constexpr unsigned few = 5;

/// The result of `compute` for `read`, settings that are all that it reads.
template <typename Value, typename Compute>
const Value& remembered(Remembered<PlanKey, Value>& results, const Plan& read, Compute compute) {
  return results.of(PlanKey(read), [&](Value& value) { compute(read, value); });
}

}  // namespace

RepeatedTransformer::RepeatedTransformer(const Transformer& model, const Cluster& cluster,
                                         const Stack& stack)
    : model_(model),
      cluster_(cluster),
      stack_(stack),
      stragglers_(straggler_share(cluster)),
      rooms_(many),
      times_(many),
      blocks_(some),
      weights_(some),
      meshes_(few),
      stages_(few) {}

StepVerdict RepeatedTransformer::evaluate(const Plan& plan) {
  const Room& fits = remembered(rooms_, memory_settings(plan),
                                [&](const Plan& read, Room& value) { value = room(read); });
  if (fits.status != StepStatus::ok) return {.status = fits.status};
  const Time& taken = remembered(times_, time_settings(plan),
                                 [&](const Plan& read, Time& value) { value = time(read); });
  return {.status = StepStatus::ok,
          .step = fits.retries == 0.0 ? taken.step : step(taken.bare, plan, fits.retries)};
}

RepeatedTransformer::Room RepeatedTransformer::room(const Plan& plan) {
  if (check(plan, model_, cluster_)) return {.status = StepStatus::invalid};
  lower_stages(plan, program_);
  lower_allocations(model_, plan, stack_, program_);
  const MemoryReport memory = peak_memory(program_.allocations, communicators(program_.mesh, plan),
                                          cluster_.device, stack_);
  const StepStatus status = status_of(memory);
  return {.status = status, .retries = status == StepStatus::ok ? retry_share(memory) : 0.0};
}

RepeatedTransformer::Time RepeatedTransformer::time(const Plan& plan) {
  lower_stages(plan, program_);
  const BareStep bare = bare_step(program_, blocks(plan), weights(plan), {cluster_, stack_, plan});
  return {.bare = bare, .step = step(bare, plan, 0.0)};
}

Seconds RepeatedTransformer::step(const BareStep& bare, const Plan& plan, double retries) const {
  return delayed(bare, plan.pipeline_parallel > 1, retries, stragglers_).total();
}

/// All of the program but its blocks and allocations.
void RepeatedTransformer::lower_stages(const Plan& plan, StepProgram& program) {
  program.mesh = mesh(plan);
  program.runs =
      remembered(stages_, stage_settings(plan), [&](const Plan& read, std::vector<StageRun>& runs) {
        divide_layers(model_, read, stack_, runs);
      });
  lower_weights(model_, plan, cluster_, stack_, program);
}

const DeviceMesh& RepeatedTransformer::mesh(const Plan& plan) {
  return remembered(meshes_, mesh_settings(plan), [&](const Plan& read, DeviceMesh& value) {
    value = mesh_of(model_, read, cluster_);
  });
}

const BlockCosts& RepeatedTransformer::blocks(const Plan& plan) {
  return remembered(blocks_, block_settings(plan), [&](const Plan& read, BlockCosts& value) {
    part_.mesh = mesh(read);
    lower_blocks(model_, read, stack_, part_);
    value = block_costs(part_, {cluster_, stack_, read});
  });
}

/// Of all runs.
const std::vector<WeightCost>& RepeatedTransformer::weights(const Plan& plan) {
  return remembered(weights_, weight_settings(plan),
                    [&](const Plan& read, std::vector<WeightCost>& value) {
                      lower_stages(read, part_);
                      value.clear();
                      for (const StageRun& run : part_.runs) {
                        value.push_back(weight_cost(part_, run, cluster_, stack_));
                      }
                    });
}

}  // namespace cubicbench::sim
