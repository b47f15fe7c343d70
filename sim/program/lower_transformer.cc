#include "sim/program/lower_transformer.h"

#include "sim/base/units.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/validity.h"
#include "sim/program/ends_writer.h"
#include "sim/program/layer_writer.h"
#include "sim/program/stage_runs.h"
#include "sim/program/stored_experts.h"
#include "sim/program/transformer_allocations.h"

namespace cubicbench::sim {
namespace {

/// Ranks that share it, those of the stage that holds the same weights among them.
double shards_of_update(const Plan& plan, const WeightGroups& groups) {
  const double shards = optimizer_shards(plan.sharding, groups);
  return traits(plan.sharding).shards_optimizer ? shards * real(weight_copies(plan)) : shards;
}

void add_expert_traffic(const Plan& plan, StepProgram& program) {
  program.expert_weights = weight_traffic(plan.sharding, plan, program.mesh.expert_weights);
  program.expert_optimizer_shards = shards_of_update(plan, program.mesh.expert_weights);
  if (stores_experts(plan)) add_stored_update(plan, program);
}

}  // namespace

DeviceMesh mesh_of(const Transformer& model, const Plan& plan, const Cluster& cluster) {
  return has_experts(model) ? expert_device_mesh(plan, cluster) : device_mesh(plan, cluster);
}

void lower_weights(const Transformer& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack, StepProgram& program) {
  program.weights = weight_traffic(plan.sharding, plan, program.mesh.weights);
  program.micro_batches =
      real(plan.global_batch) / real(data_parallel(plan, cluster) * plan.micro_batch);
  program.stages = real(plan.pipeline_parallel);
  program.chunks = real(chunks_per_stage(plan));
  const double split = plan.sequence_parallel ? real(plan.tensor_parallel) : 1.0;
  program.boundary = Bytes{storage_bytes(plan.param_dtype) *
                           real(plan.micro_batch * model.sequence * model.hidden) /
                           (real(plan.context_parallel) * split)};
  program.offloaded_bytes_per_parameter =
      offloads_optimizer(plan) ? 4.0 + storage_bytes(plan.param_dtype) : 0.0;
  program.optimizer_bytes_per_parameter = optimizer_traffic(plan) + stack.update_traffic_bytes;
  program.optimizer_shards = shards_of_update(plan, program.mesh.weights);
  program.expert_host_bytes = program.expert_storage_bytes = 0.0;
  if (has_experts(model)) add_expert_traffic(plan, program);
  add_run_weights(model, plan, stack, program);
}

void lower_blocks(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program) {
  program.operations.clear();
  program.blocks = {};
  LayerWriter(model, plan, stack, program, false).write();
  if (has_experts(model)) LayerWriter(model, plan, stack, program, true).write();
  EndsWriter(model, plan, stack, program).write();
}

void lower_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program) {
  program.allocations.clear();
  for (const StageRun& run : program.runs) add_allocations(model, plan, stack, run, program);
}

void lower(const Transformer& model, const Plan& plan, const Cluster& cluster, const Stack& stack,
           StepProgram& program) {
  program.mesh = mesh_of(model, plan, cluster);
  divide_layers(model, plan, stack, program.runs);
  lower_weights(model, plan, cluster, stack, program);
  lower_blocks(model, plan, stack, program);
  lower_allocations(model, plan, stack, program);
}

}  // namespace cubicbench::sim
