#include "sim/program/lower_transformer.h"

#include "sim/base/units.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/validity.h"
#include "sim/program/expert_share.h"
#include "sim/program/operation_writer.h"

namespace cubicbench::sim {
namespace {

/// Writes what lies outside the layers: embedding, head, and what prediction layers add to theirs.
class EndsWriter : OperationWriter {
 public:
  using OperationWriter::OperationWriter;

  void write() {
    PerBlock<Block>& blocks = program_.blocks;
    blocks.embedding = block(0.0, [&] { embedding(); });
    blocks.head = block(0.0, [&] { head(); });
    if (model_.prediction_layers > 0) blocks.prediction = block(0.0, [&] { prediction(); });
  }

 private:
  void embedding() {
    // Forward reads and writes a row in 16 bits; backward reads one and adds it up in fp32, unless
    // the table is frozen.
    const double row = has_adapters(model_) ? 4.0 : 14.0;
    memory_bound(Bytes{tokens_ * h_ * row}, StepPart::memory_bound);
    tensor_traffic({.gathers = 1.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
  }

  void head() {
    const GemmShape shape{tokens_, rank_vocabulary(model_, plan_), h_};
    gemm(shape, 1.0, whole_dtype(), StepPart::head_and_loss);
    gemm({shape.m, shape.k, shape.n}, 1.0, whole_dtype(), StepPart::head_and_loss);
    if (!has_adapters(model_)) {
      gemm({shape.k, shape.n, shape.m}, 1.0, whole_dtype(), StepPart::head_and_loss);
    }
    memory_bound(Bytes{stack_.logits_traffic_bytes * shape.m * shape.n}, StepPart::head_and_loss);
    tensor_traffic({.gathers = 2.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
  }

  /// Both inputs are normed, joined and projected to h [DeepSeekV3, section 2.2]; the embedding is
  /// read again.
  void prediction() {
    const GemmShape shape{tokens_, h_ / real(plan_.tensor_parallel), 2.0 * h_};
    gemm(shape, 1.0, whole_dtype(), StepPart::gemm);
    gemm({shape.m, shape.k, shape.n}, 1.0, whole_dtype(), StepPart::gemm);
    gemm({shape.k, shape.n, shape.m}, 1.0, whole_dtype(), StepPart::gemm);
    const double norms =
        3.0 * 8.0 * h_ / (plan_.sequence_parallel ? real(plan_.tensor_parallel) : 1.0);
    const double factor = element_wise_traffic(stack_, plan_.compile);
    memory_bound(Bytes{factor * storage_bytes(plan_.param_dtype) * tokens_ * norms},
                 StepPart::memory_bound);
    memory_bound(Bytes{tokens_ * h_ * 14.0}, StepPart::memory_bound);
    tensor_traffic({.gathers = 4.0, .scatters = 2.0, .reductions = 2.0}, plan_.param_dtype);
  }
};

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

bool lays_stages_outermost(const Transformer& model, const Stack& stack) {
  return has_experts(model) || stack.stages_outermost;
}

DeviceMesh mesh_of(const Transformer& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack) {
  return has_experts(model) ? expert_device_mesh(plan, cluster)
                            : device_mesh(plan, cluster, stack.stages_outermost);
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
  write_matrix_update(model, plan, program.matrix_update);
  if (has_experts(model)) add_expert_traffic(plan, program);
  add_run_weights(model, plan, stack, program);
}

void lower_ends(const Transformer& model, const Plan& plan, const Stack& stack,
                StepProgram& program) {
  EndsWriter(model, plan, stack, program).write();
}

void lower_blocks(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program) {
  program.operations.clear();
  program.blocks = {};
  const LayerKinds kinds = layer_kinds(model);
  for (std::size_t i = 0; i < kinds.count; ++i) {
    lower_layer(model, plan, stack, kinds.list[i], program, program.blocks.layers[i]);
  }
  lower_ends(model, plan, stack, program);
}

void lower(const Transformer& model, const Plan& plan, const Cluster& cluster, const Stack& stack,
           StepProgram& program) {
  program.mesh = mesh_of(model, plan, cluster, stack);
  divide_layers(model, plan, stack, program.runs);
  lower_weights(model, plan, cluster, stack, program);
  lower_blocks(model, plan, stack, program);
  lower_allocations(model, plan, stack, program);
}

}  // namespace cubicbench::sim
