#include "sim/engine/analytical.h"

#include <algorithm>
#include <variant>

#include "sim/base/numeric.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/pipeline_time.h"
#include "sim/engine/step_cost.h"
#include "sim/engine/straggler_share.h"
#include "sim/engine/weight_time.h"
#include "sim/kernels/memory_bound.h"
#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

struct Machine {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

const Group& group_of(const StepProgram& program, Stream stream) {
  return stream == Stream::context ? program.mesh.context : program.mesh.tensor;
}

/// Launches of a block's kernels, fewer when compiled. In a network whose ranks keep each other
/// waiting their hosts do as well, `wait` and what the network adds [docs/models.md, Eq. N-1].
Seconds host_time(const StepProgram& program, const Block& block, Seconds wait, const Machine& on) {
  const Seconds launches = launch_time(block, on.plan.compile, on.stack);
  const Seconds slow = on.cluster.state.launch_wait;
  const auto ranks = static_cast<double>(program.mesh.tensor.ranks);
  if (slow.value == 0.0 || ranks == 1.0) {
    return launches;
  }
  return launches + wait + (block.host_passes * ranks) * slow;
}

/// What a ring of c ranks leaves of its exchanges, each beside one of the first c - 1 blocks of
/// attention [docs/models.md, Eq. T-7].
Seconds exposed_ring(Seconds exchanges, Seconds attention, const Plan& plan) {
  const auto c = static_cast<double>(plan.context_parallel);
  return max(exchanges - ((c - 1.0) / c) * attention, Seconds{});
}

bool is_attention(const Operation& op) {
  return op.kind == OperationKind::attention_forward ||
         op.kind == OperationKind::attention_backward;
}

/// One pass over one block on one rank [docs/models.md, Eq. E-1].
StepCost block_cost(const StepProgram& program, BlockId id, const Machine& on) {
  const Block& block = program.blocks[static_cast<std::size_t>(id)];
  // Asynchronous TP pipelines the gathers and scatters of sequence parallelism with their GEMMs.
  const bool asynchronous = on.plan.async_tensor_parallel && on.plan.sequence_parallel;
  const double hidden = asynchronous ? on.stack.async_tensor_overlap : on.stack.tensor_overlap;
  StepCost cost;
  Seconds compute;
  Seconds tensor;
  Seconds wait;  // of the ranks for each other
  Seconds context;
  Seconds attention;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    const Seconds time = operation_time(op, group_of(program, op.stream), on.cluster, on.stack);
    if (op.stream == Stream::tensor) {
      tensor += time;
      wait += op.count * group_wait(program.mesh.tensor, on.stack);
      continue;
    }
    if (op.stream == Stream::context) {
      context += time;
      continue;
    }
    cost[op.part] += time;
    compute += op.stream == Stream::compute ? time : Seconds{};
    attention += is_attention(op) ? time : Seconds{};
  }
  cost[StepPart::context_communication] += on.stack.context == ContextExchange::ring
                                               ? exposed_ring(context, attention, on.plan)
                                               : context;
  // No more can hide than there is compute to hide under [docs/models.md, Eq. T-4].
  // GPUs of a group wait for each other: nothing hides that, and their hosts launch on meanwhile.
  cost[StepPart::tensor_communication] += max(tensor - compute, (1.0 - hidden) * tensor) + wait;
  cost[StepPart::host] += host_wait(cost.total(), host_time(program, block, wait, on), on.stack) +
                          jitter_wait(block, program.mesh.tensor, on.plan.compile, on.stack);
  return cost;
}

struct StageCost {
  StepCost slot;     ///< forward and backward of one micro-batch, and what travels with each
  StepCost once;     ///< what a step adds once
  Seconds begin;     ///< of that, before the first pass
  Seconds last;      ///< and in the last one
  Seconds between;   ///< and between two of its chunks
  Seconds followed;  ///< and in all stages
  Seconds after;     ///< of a slot, when it has sent on what it computed
  Seconds forward;
  Seconds backward;
  Seconds embedding;
  Seconds head;
  Seconds ends_forward;  ///< of `forward`, what is outside the layers
  Seconds ends_backward;
};

struct BlockCosts {
  std::array<StepCost, block_count> of;
  const StepCost& operator[](BlockId id) const { return of[static_cast<std::size_t>(id)]; }
};

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

/// Layers of a chunk that has neither end of the model, over those of its stage. An end takes the
/// place of the layers that its stage has less than others.
double even_share(const StepProgram& program, const StageRun& run, double layers_max) {
  const bool end = run.has_embedding != run.has_head;
  return (end && run.layers > 0.0 ? layers_max / run.layers : 1.0) / program.chunks;
}

/// The whole step from the stages. Parts are those of the stage that computes longest; what of the
/// step it does not fill is the pipeline's bubble.
void assemble(const StepProgram& program, const BlockCosts& blocks, const Machine& on,
              StepReport& report) {
  const double m = program.micro_batches;
  const Seconds hop = send_receive(program.boundary, program.mesh.pipeline, on.cluster.network);
  const double overlap = on.stack.pipeline_overlap;
  // Of each hop its sender stands still for what is not hidden.
  const Seconds held_up = (2.0 * program.chunks * (1.0 - overlap)) * hop;
  PipelineTime pipeline(on.plan.schedule, m, program.stages, program.chunks, overlap * hop);
  StepCost slowest;
  Seconds slot_max{-1.0};
  double layers_max = 0.0;
  for (const StageRun& run : program.runs) layers_max = std::max(layers_max, run.layers);
  for (auto run = program.runs.rbegin(); run != program.runs.rend(); ++run) {
    StageCost stage = stage_cost(program, *run, blocks, hop, on);
    stage.slot[StepPart::pipeline_communication] += held_up;
    stage.forward += 0.5 * held_up;
    stage.backward += 0.5 * held_up;
    const Seconds slot = stage.forward + stage.backward;
    const double share = even_share(program, *run, layers_max);
    const Seconds even_forward = share * (stage.forward - stage.ends_forward);
    const Seconds even_backward = share * (stage.backward - stage.ends_backward);
    const Seconds even = even_forward + even_backward;
    const Seconds with_end = slot - (program.chunks - 1.0) * even;
    pipeline.add_before({.stages = static_cast<double>(run->stages),
                         .forward = stage.forward,
                         .backward = stage.backward,
                         .after = stage.after,
                         .even_forward = even_forward,
                         .even_backward = even_backward,
                         .first_chunk = run->has_embedding ? with_end : even,
                         .last_chunk = run->has_head ? with_end : even,
                         .begin = stage.begin,
                         .last = stage.last,
                         .between = stage.between,
                         .followed = stage.followed,
                         .end = stage.once.total() - stage.begin - stage.last});
    if (slot + stage.after >= slot_max) {
      slot_max = slot + stage.after;
      slowest = StepCost{};
      slowest.add(m, stage.slot);
      slowest.add(1.0, stage.once);
    }
  }
  const Seconds idle = pipeline.total() - slowest.total();
  slowest[StepPart::pipeline_bubble] = program.stages > 1.0 ? max(idle, Seconds{}) : Seconds{};
  slowest[StepPart::allocator_retries] = retry_share(report.memory) * slowest.total();
  slowest[StepPart::stragglers] = straggler_share(on.cluster) * slowest.total();
  report.parts = slowest.parts;
  report.step = slowest.total();
}

}  // namespace

void time_step(const StepProgram& program, const Plan& plan, const Cluster& cluster,
               const Stack& stack, StepReport& report) {
  const Machine machine{cluster, stack, plan};
  BlockCosts blocks;
  for (std::size_t i = 0; i < blocks.of.size(); ++i) {
    blocks.of[i] = block_cost(program, static_cast<BlockId>(i), machine);
  }
  assemble(program, blocks, machine, report);
}

StepReport evaluate(const Transformer& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return report;
  }
  StepProgram& program = workspace.program;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = program.micro_batches;
  report.memory =
      peak_memory(program.allocations, communicators(program.mesh, plan), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status != StepStatus::ok) {
    return report;
  }
  time_step(program, plan, cluster, stack, report);
  return report;
}

StepReport evaluate(const Workload& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return evaluate(kind, plan, cluster, stack, workspace); }, model);
}

}  // namespace cubicbench::sim
