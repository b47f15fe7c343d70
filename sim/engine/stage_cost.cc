#include "sim/engine/stage_cost.h"

#include "sim/engine/operation_time.h"

namespace cubicbench::sim {
namespace {

/// What weights that travel add to a stage.
void add(const WeightTime& time, StageCost& stage) {
  stage.forward += time.forward;
  stage.backward += time.backward;
  stage.slot[StepPart::data_communication] += time.forward + time.backward + time.after;
  stage.once[StepPart::data_communication] += time.begin + time.last + time.end;
  stage.begin += time.begin;
  stage.last += time.last;
  stage.between += time.between;
  stage.followed += time.followed;
  stage.after += time.after;
  stage.ends_forward += time.ends_forward;
  stage.ends_backward += time.ends_backward;
}

/// With split backward passes weights are gathered for the gradients of inputs, and reduced behind
/// those of weights, which read none [docs/models.md, Eq. P-8].
void add_reductions(const StepProgram& program, const StageRun& run, const WeightCost& cost,
                    const StepContext& on, StageCost& stage) {
  const WeightTraffic reductions = only_reductions(program.weights);
  const auto reduced = [&](Seconds beside) {
    return weight_time(reductions, run.weights, cost,
                       {.forward = {}, .backward = beside, .chunks = program.chunks}, on.stack);
  };
  constexpr Seconds endless{1e9};
  if (!program.weights.in_units) {
    const WeightTime all = reduced({});
    const WeightTime bare = reduced(endless);
    stage.reduction += all.after + all.end;
    stage.reduction_bare += bare.after + bare.end;
  }
  const WeightTime reduces = reduced(stage.weight_gradients);
  stage.backward += reduces.backward;
  stage.weight_gradients += reduces.backward;
  stage.after += reduces.after;
  stage.last += reduces.last;
  if (!program.weights.in_units) stage.reduced_last += reduces.end;
  stage.slot[StepPart::data_communication] += reduces.backward + reduces.after;
  stage.once[StepPart::data_communication] += reduces.last + reduces.end;
}

/// How long passes wait for copies to the host of what they keep.
struct CopyWaits {
  Seconds copy;
  Seconds forward;
  Seconds backward;
};

CopyWaits copy_waits(const StageRun& run, const StageCost& stage, const StepContext& on) {
  const Seconds copy = run.offloaded / on.cluster.device.host_bandwidth;
  return {.copy = copy,
          .forward = positive(copy - stage.forward),
          .backward = positive(copy - (stage.backward - stage.weight_gradients))};
}

void add_weight_time(const StepProgram& program, const StageRun& run, const WeightCost& cost,
                     Seconds hop, const StepContext& on, StageCost& stage) {
  const bool split = splits_backward(on.plan.schedule);
  const CopyWaits waits = split ? CopyWaits{} : copy_waits(run, stage, on);
  stage.ends_forward = stage.embedding;
  stage.ends_backward = stage.head;
  add(weight_time(program.weights, run.weights, cost,
                  {.forward = stage.forward - stage.embedding,
                   .backward = stage.backward - stage.weight_gradients - stage.head,
                   .embedding = stage.embedding,
                   .head = stage.head,
                   .forward_wait = waits.forward,
                   .backward_wait = waits.backward,
                   .chunks = program.chunks,
                   .stages = program.stages,
                   .micro_batches = program.micro_batches,
                   .hop = hop},
                  on.stack),
      stage);
  if (split) add_reductions(program, run, cost, on, stage);
}

/// Kept tensors go to the host beside the forward pass and come back beside the backward pass: what
/// a copy takes longer than its pass counts [docs/models.md, Eq. O-1]. Split passes are played,
/// each beside its own copies.
void add_offload_time(const StageRun& run, bool in_units, const StepContext& on, StageCost& stage) {
  const CopyWaits waits = copy_waits(run, stage, on);
  stage.slot[StepPart::host] += waits.forward + waits.backward;
  if (splits_backward(on.plan.schedule)) {
    stage.copy = waits.copy;
    return;
  }
  stage.forward += waits.forward;
  stage.backward += waits.backward;
  if (!in_units) return;
  // The last pass waits in any case.
  const Seconds hidden = min(waits.backward, stage.last);
  stage.last -= hidden;
  stage.once[StepPart::data_communication] -= hidden;
}

/// What the update of stored experts adds: with prefetch it runs layer by layer as gradients
/// arrive, beside the last backward pass [docs/models.md, Eq. X-9].
Seconds exposed_stored_update(const StepProgram& program, const StageRun& run,
                              const StepContext& on, Seconds backward) {
  const Seconds update = stored_update_time(program, run, on.cluster.device);
  return on.plan.expert_prefetch ? max(update - backward, Seconds{}) : update;
}

/// Passes over the layers of a stage: forward into its slot.
void add_layers(const StageRun& run, const BlockCosts& blocks, const StepContext& on,
                StageCost& stage, StepCost& backward) {
  std::size_t kinds = layer_kinds_max;
  while (kinds > 0 && run.kinds[kinds - 1].layers == 0.0) --kinds;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const LayerPasses<StepCost>& passes = blocks.layers[kind];
    stage.slot.add(run.kinds[kind].layers, passes.forward);
    backward.add(run.kinds[kind].layers, passes.backward);
    backward.add(run.kinds[kind].recomputed, passes.recompute);
  }
  if (!splits_backward(on.plan.schedule)) return;
  StepCost gradients;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    gradients.add(run.kinds[kind].layers, blocks.layers[kind].weight_gradients);
  }
  stage.weight_gradients = gradients.total();
  backward.add(1.0, gradients);
}

}  // namespace

PerBlock<double> block_passes(const StageRun& run, const Plan& plan) {
  PerBlock<double> passes{.embedding = run.has_embedding ? 1.0 : 0.0,
                          .head = run.has_head ? run.head_passes : 0.0,
                          .prediction = run.has_head ? run.head_passes - 1.0 : 0.0};
  const double gradients = splits_backward(plan.schedule) ? 1.0 : 0.0;
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    const auto [layers, recomputed] = run.kinds[kind];
    passes.layers[kind] = {.forward = layers,
                           .recompute = recomputed,
                           .backward = layers,
                           .weight_gradients = gradients * layers};
  }
  return passes;
}

WeightCost weight_cost(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                       const Stack& stack) {
  const SharedWeights layers{program.weights, run.weights, program.mesh.weights};
  const SharedWeights experts{program.expert_weights, run.expert_weights,
                              program.mesh.expert_weights};
  const bool has_experts = run.expert_weights.parameters > 0.0;
  return weight_cost(layers, program.chunks, cluster, stack, has_experts ? &experts : nullptr);
}

StageCost stage_cost(const StepProgram& program, std::size_t index, const BlockCosts& blocks,
                     std::span<const WeightCost> weights, Seconds hop, const StepContext& on) {
  const StageRun& run = program.runs[index];
  StageCost stage;
  StepCost backward;
  add_layers(run, blocks, on, stage, backward);
  if (run.has_embedding) {
    stage.slot.add(1.0, blocks.embedding);
    stage.embedding = blocks.embedding.total();
  }
  if (run.has_head) {
    const double predicting = run.head_passes - 1.0;
    backward.add(run.head_passes, blocks.head);
    stage.head = run.head_passes * blocks.head.total();
    if (predicting > 0.0) {
      backward.add(predicting, blocks.prediction);
      stage.head += predicting * blocks.prediction.total();
    }
  }
  stage.forward = stage.slot.total();
  stage.backward = backward.total();
  stage.slot.add(1.0, backward);
  const WeightCost collectives =
      weights.empty() ? weight_cost(program, run, on.cluster, on.stack) : weights[index];
  add_weight_time(program, run, collectives, hop, on, stage);
  add_offload_time(run, program.weights.in_units, on, stage);
  stage.once[StepPart::optimizer] = update_time(program, run, on.cluster, on.stack);
  if (program.expert_host_bytes > 0.0) {
    stage.once[StepPart::expert_storage] =
        exposed_stored_update(program, run, on, stage.backward + stage.last);
  }
  return stage;
}

}  // namespace cubicbench::sim
