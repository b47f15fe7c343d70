#include "sim/engine/stage_cost.h"

#include "sim/engine/weight_time.h"
#include "sim/kernels/memory_bound.h"

namespace cubicbench::sim {
namespace {

void add_weight_time(const StepProgram& program, const StageRun& run, Seconds hop,
                     const Machine& on, StageCost& stage) {
  const WeightTime time = weight_time(program.weights, run.weights, program.mesh.weights,
                                      {.forward = stage.forward - stage.embedding,
                                       .backward = stage.backward - stage.head,
                                       .embedding = stage.embedding,
                                       .head = stage.head,
                                       .chunks = program.chunks,
                                       .stages = program.stages,
                                       .hop = hop},
                                      on.cluster, on.stack);
  stage.forward += time.forward;
  stage.backward += time.backward;
  stage.slot[StepPart::data_communication] += time.forward + time.backward + time.after;
  stage.once[StepPart::data_communication] += time.begin + time.last + time.end;
  stage.begin = time.begin;
  stage.last = time.last;
  stage.between = time.between;
  stage.followed = time.followed;
  stage.after = time.after;
  stage.ends_forward = stage.embedding + time.ends_forward;
  stage.ends_backward = stage.head + time.ends_backward;
}

/// Kept tensors go to the host beside the forward pass and come back beside the backward pass: what
/// a copy takes longer than its pass counts [docs/models.md, Eq. O-1].
void add_offload_time(const StageRun& run, const Machine& on, StageCost& stage) {
  const Seconds copy = run.offloaded / on.cluster.device.host_bandwidth;
  const Seconds forward = max(copy - stage.forward, Seconds{});
  const Seconds backward = max(copy - stage.backward, Seconds{});
  stage.forward += forward;
  stage.backward += backward;
  stage.slot[StepPart::host] += forward + backward;
}

/// On the device, the traffic of the update; on the host, the gradients' way there and the weights'
/// way back [docs/models.md, Eq. O-2].
Seconds optimizer_time(const StepProgram& program, const StageRun& run, const Machine& on) {
  const double owned = run.weights.parameters / program.optimizer_shards;
  if (program.offloaded_bytes_per_parameter > 0.0) {
    return Bytes{program.offloaded_bytes_per_parameter * owned} / on.cluster.device.host_bandwidth;
  }
  return memory_bound_time(on.cluster.device, Bytes{program.optimizer_bytes_per_parameter * owned});
}

}  // namespace

StageCost stage_cost(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                     Seconds hop, const Machine& on) {
  StageCost stage;
  StepCost backward;
  stage.slot.add(run.layers, blocks[BlockId::layer_forward]);
  backward.add(run.layers, blocks[BlockId::layer_backward]);
  backward.add(run.recomputed_layers, blocks[BlockId::layer_recompute]);
  if (run.has_embedding) {
    stage.slot.add(1.0, blocks[BlockId::embedding]);
    stage.embedding = blocks[BlockId::embedding].total();
  }
  if (run.has_head) {
    backward.add(1.0, blocks[BlockId::head]);
    stage.head = blocks[BlockId::head].total();
  }
  stage.forward = stage.slot.total();
  stage.backward = backward.total();
  stage.slot.add(1.0, backward);
  add_weight_time(program, run, hop, on, stage);
  add_offload_time(run, on, stage);
  stage.once[StepPart::optimizer] = optimizer_time(program, run, on);
  return stage;
}

}  // namespace cubicbench::sim
