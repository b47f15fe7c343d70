#include "sim/program/lower_forward.h"

#include "sim/program/operation_writer.h"

namespace cubicbench::sim {
namespace {

/// Writes the ends of the model without their ways back.
class ForwardEndsWriter : OperationWriter {
 public:
  using OperationWriter::OperationWriter;

  void write(ForwardHead output) {
    program_.blocks.embedding = block(0.0, [&] { embedding(); });
    program_.blocks.head = {};
    if (output == ForwardHead::all_tokens) program_.blocks.head = block(0.0, [&] { head(); });
  }

 private:
  void embedding() {
    memory_bound(Bytes{tokens_ * h_ * 4.0}, StepPart::memory_bound);
    tensor_traffic({.scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
  }

  /// Of the logits' traffic, half is the way back.
  void head() {
    const GemmShape shape{tokens_, rank_vocabulary(model_, plan_), h_};
    gemm(shape, 1.0, whole_dtype(), StepPart::head_and_loss);
    memory_bound(Bytes{0.5 * stack_.logits_traffic_bytes * shape.m * shape.n},
                 StepPart::head_and_loss);
    tensor_traffic({.gathers = 1.0}, plan_.param_dtype);
  }
};

/// Gathers of FSDP alone are left: other modes hold whole weights, which nothing changes.
void keep_gathers(WeightTraffic& weights) {
  WeightSchedule kept;
  if (weights.in_units) {
    kept.step = weights.schedule.step;
    kept.forward = weights.schedule.forward;
  }
  weights.schedule = kept;
}

void leave_out_update(StepProgram& program) {
  program.optimizer_bytes_per_parameter = program.offloaded_bytes_per_parameter = 0.0;
  program.expert_host_bytes = program.expert_storage_bytes = 0.0;
  program.matrix_update = {};
}

}  // namespace

Plan forward_plan(Plan plan) {
  plan.schedule = Schedule::gpipe;
  plan.virtual_stages = 1;
  plan.recompute = Recompute::none;
  plan.offload = Offload::none;
  plan.optimizer = Optimizer::sgd;
  return plan;
}

void lower_forward(Transformer model, const Plan& plan, const Cluster& cluster, const Stack& stack,
                   ForwardHead head, StepProgram& program) {
  model.prediction_layers = 0;
  program.mesh = mesh_of(model, plan, cluster, stack);
  divide_layers(model, plan, stack, program.runs);
  lower_weights(model, plan, cluster, stack, program);
  lower_blocks(model, plan, stack, program);
  for (LayerPasses<Block>& passes : program.blocks.layers) passes = {.forward = passes.forward};
  ForwardEndsWriter(model, plan, stack, program).write(head);
  keep_gathers(program.weights);
  keep_gathers(program.expert_weights);
  leave_out_update(program);
}

}  // namespace cubicbench::sim
