#include "sim/engine/analytical.h"

#include <algorithm>

#include "sim/base/numeric.h"
#include "sim/kernels/memory_bound.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

/// Time by part. A pass over one layer, a stage or a whole step is a sum of these.
struct Cost {
  std::array<Seconds, step_part_count> parts{};

  Seconds& operator[](StepPart part) { return parts[static_cast<std::size_t>(part)]; }

  Seconds total() const {
    Seconds sum;
    for (const Seconds part : parts) {
      sum += part;
    }
    return sum;
  }

  void add(double times, const Cost& other) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i] += times * other.parts[i];
    }
  }
};

struct Machine {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

const Group& group_of(const StepProgram& program, Stream stream) {
  return stream == Stream::context ? program.mesh.context : program.mesh.tensor;
}

Seconds operation_time(const Operation& op, const StepProgram& program, const Machine& on) {
  const Device& device = on.cluster.device;
  const Network& network = on.cluster.network;
  switch (op.kind) {
    case OperationKind::gemm:
      return op.count * gemm_time(device, op.dtype, op.gemm, on.stack.gemm_factor);
    case OperationKind::attention_forward:
      return op.count * attention_forward(device, on.stack, op.dtype, op.attention);
    case OperationKind::attention_backward:
      return op.count * attention_backward(device, on.stack, op.dtype, op.attention);
    case OperationKind::memory_bound:
      return op.count * memory_bound_time(device, op.bytes);
    case OperationKind::gather:
      return op.count * all_gather(op.bytes, group_of(program, op.stream), network, on.stack);
    case OperationKind::all_reduce:
      return op.count * all_reduce(op.bytes, group_of(program, op.stream), network, on.stack);
  }
  return {};
}

/// (gpu^q + host^q)^(1/q) - gpu: what launching adds to a pass [docs/models.md, Eq. E-2]. Kernels
/// that wait for the host and kernels that queue mix inside a layer, hence no hard maximum.
Seconds host_excess(Seconds gpu, Seconds host, double q) {
  if (gpu.value <= 0.0 || host.value <= 0.0) {
    return host;
  }
  const Seconds longer = max(gpu, host);
  const double ratio = min(gpu, host) / longer;
  return longer * pow(1.0 + pow(ratio, q), 1.0 / q) - gpu;
}

/// One pass over one block on one rank [docs/models.md, Eq. E-1].
Cost block_cost(const StepProgram& program, BlockId id, const Machine& on) {
  const Block& block = program.blocks[static_cast<std::size_t>(id)];
  // Asynchronous TP pipelines the gathers and scatters of sequence parallelism with their GEMMs.
  const bool asynchronous = on.plan.async_tensor_parallel && on.plan.sequence_parallel;
  const double hidden = asynchronous ? on.stack.async_tensor_overlap : on.stack.tensor_overlap;
  Cost cost;
  Seconds compute;
  Seconds tensor;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    const Seconds time = operation_time(op, program, on);
    if (op.stream == Stream::tensor) {
      tensor += time;
      continue;
    }
    cost[op.part] += time;
    compute += op.stream == Stream::compute ? time : Seconds{};
  }
  // No more can hide than there is compute to hide under [docs/models.md, Eq. T-4].
  cost[StepPart::tensor_communication] += max(tensor - compute, (1.0 - hidden) * tensor);
  if (block.host_passes > 0.0) {
    const double factor = on.plan.compile ? on.stack.compiled_host_factor : 1.0;
    const Seconds host = (factor * block.host_passes) * on.stack.host_layer_forward;
    cost[StepPart::host] += host_excess(cost.total(), host, on.stack.host_smoothness);
  }
  return cost;
}

/// Weight collectives of one pass over one stage.
struct WeightCost {
  Seconds gather;           ///< over the sharding group
  Seconds gather_backward;  ///< over the group that backward gathers from
  Seconds reduce;
  Seconds gather_first;  ///< one unit, before there is compute to hide it
  Seconds reduce_last;   ///< and one after
};

WeightCost weight_cost(const StepProgram& program, const StageRun& run, const Machine& on) {
  const WeightTraffic& w = program.weights;
  const DeviceMesh& mesh = program.mesh;
  const Network& network = on.cluster.network;
  const auto gather = [&](double parameters, const Group& group) {
    return all_gather(Bytes{parameters * w.gather_bytes_per_parameter}, group, network, on.stack);
  };
  const auto reduce = [&](double parameters) {
    const Bytes payload{parameters * w.reduce_bytes_per_parameter};
    if (!w.reduce_scatters) {
      return all_reduce(payload, mesh.replica, network, on.stack);
    }
    const auto shards = static_cast<double>(mesh.shard.ranks);
    return all_gather(payload, mesh.shard, network, on.stack) +
           all_reduce(payload / shards, mesh.replicate, network, on.stack);
  };
  const double ends = w.in_units ? run.end_parameters : 0.0;
  const Group& backward = w.backward_over_reshard_group ? mesh.reshard : mesh.shard;
  WeightCost cost;
  cost.gather = run.units * gather(run.unit_parameters, mesh.shard);
  cost.gather_backward = run.units * gather(run.unit_parameters, backward);
  cost.reduce = run.units * reduce(run.unit_parameters);
  if (w.in_units) {
    cost.gather_first = cost.gather / run.units;
    cost.reduce_last = cost.reduce / run.units;
  }
  if (ends > 0.0) {  // the root unit stays gathered between forward and backward
    cost.gather += gather(ends, mesh.shard);
    cost.reduce += reduce(ends);
  }
  return cost;
}

/// What traffic `m` adds to compute `c` that it runs beside [docs/models.md, Eq. D-1, D-2].
/// FSDP units share SMs and memory with compute: max(c, m) + x min(c, m). Bucketed data
/// parallelism hides a share o of its traffic, never more than the compute there is.
Seconds exposed(Seconds c, Seconds m, const StepProgram& program, const Stack& stack) {
  if (program.weights.in_units) {
    return max(c, m) + stack.overlap_cost * min(c, m) - c;
  }
  return max(m - c, (1.0 - stack.data_overlap) * m);
}

struct StageCost {
  Cost slot;  ///< forward and backward of one micro-batch, and what travels with each
  Cost once;  ///< what a step adds once
  Seconds forward;
  Seconds backward;
};

struct BlockCosts {
  std::array<Cost, block_count> of;
  const Cost& operator[](BlockId id) const { return of[static_cast<std::size_t>(id)]; }
};

void add_weight_traffic(const StepProgram& program, const StageRun& run, const Machine& on,
                        StageCost& stage) {
  const WeightTraffic& w = program.weights;
  const WeightCost travels = weight_cost(program, run, on);
  const auto hidden_under = [&](Seconds compute, Seconds traffic) {
    return exposed(compute, traffic, program, on.stack);
  };
  const Seconds forward =
      hidden_under(stage.forward, travels.gather - travels.gather_first) + travels.gather_first;
  const Seconds under = stage.backward;
  Seconds hidden;
  Seconds bare;
  if (w.gather_backward) {
    (w.backward_gather_hides ? hidden : bare) += travels.gather_backward;
  }
  if (w.reduce_each_micro_batch) {
    (w.reduce_hides ? hidden : bare) += travels.reduce - travels.reduce_last;
    bare += travels.reduce_last;
  }
  const Seconds backward = hidden_under(under, hidden) + bare;
  Seconds& each = stage.slot[StepPart::data_communication];
  Seconds& once = stage.once[StepPart::data_communication];
  each += backward;
  stage.backward += backward;
  if (w.gather_forward) {
    each += forward;
    stage.forward += forward;
  }
  if (w.gather_once) {
    once += forward;
  }
  if (!w.reduce_each_micro_batch) {
    // Beside the gathers of the last micro-batch, which have taken their share of its backward.
    const Seconds reduce = travels.reduce - travels.reduce_last;
    const Seconds beside = hidden_under(under, hidden + reduce) - hidden_under(under, hidden);
    once += (w.reduce_hides ? beside : reduce) + travels.reduce_last;
  }
}

StageCost stage_cost(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                     const Machine& on) {
  StageCost stage;
  Cost backward;
  stage.slot.add(run.layers, blocks[BlockId::layer_forward]);
  backward.add(run.layers, blocks[BlockId::layer_backward]);
  backward.add(run.recomputed_layers, blocks[BlockId::layer_recompute]);
  if (run.has_embedding) {
    stage.slot.add(1.0, blocks[BlockId::embedding]);
  }
  if (run.has_head) {
    backward.add(1.0, blocks[BlockId::head]);
  }
  stage.forward = stage.slot.total();
  stage.backward = backward.total();
  stage.slot.add(1.0, backward);
  add_weight_traffic(program, run, on, stage);
  const Bytes streamed{program.optimizer_bytes_per_parameter * run.parameters /
                       program.optimizer_shards};
  stage.once[StepPart::optimizer] = memory_bound_time(on.cluster.device, streamed);
  return stage;
}

/// The whole step from the stages [docs/models.md, Eq. P-1, P-2]:
///
///   1F1B, interleaved   T = sum_i u_i S_i + max_i (m - u_i) S_i + 2 (p - 1) hop + once
///   GPipe               T = sum_i S_i + (m - 1) (max F_i + max B_i) + 2 (p - 1) hop + once
///
/// S_i = F_i + B_i the slot of stage i, u_i the share of it in the stage's largest chunk (1 / v
/// when they are equal). Every stage's largest chunk is passed once while the pipeline fills and
/// drains; then the slowest stage sets the pace. Exact for equal stages and chunks, m >= p.
void assemble(const StepProgram& program, const BlockCosts& blocks, const Machine& on,
              StepReport& report) {
  const double m = program.micro_batches;
  const double v = program.chunks;
  const bool piped = program.stages > 1.0;
  const Seconds hop = piped ? point_to_point(program.boundary, program.mesh.pipeline_crosses_nodes,
                                             on.cluster.network)
                            : Seconds{};
  const Seconds hops_each = (2.0 * v * (1.0 - on.stack.pipeline_overlap)) * hop;
  Seconds through;  // every stage's largest chunk once
  Seconds paced;    // what the slowest stage adds to that
  Seconds forward_max;
  Seconds backward_max;
  Seconds once_max;
  Cost slowest;
  for (const StageRun& run : program.runs) {
    StageCost stage = stage_cost(program, run, blocks, on);
    stage.slot[StepPart::pipeline_communication] += hops_each;
    stage.forward += 0.5 * hops_each;
    stage.backward += 0.5 * hops_each;
    const Seconds slot = stage.forward + stage.backward;
    through += (static_cast<double>(run.stages) * run.fill_share) * slot;
    forward_max = max(forward_max, stage.forward);
    backward_max = max(backward_max, stage.backward);
    once_max = max(once_max, stage.once.total());
    const Seconds rest = (m - run.fill_share) * slot;
    if (&run == &program.runs.front() || paced < rest) {
      paced = rest;
      slowest = Cost{};
      slowest.add(m, stage.slot);
      slowest.add(1.0, stage.once);
    }
  }
  if (on.plan.schedule == Schedule::gpipe) {
    paced = (m - 1.0) * (forward_max + backward_max);
  }
  // What is not hidden of a hop is in the slots already.
  const Seconds fill = (2.0 * on.stack.pipeline_overlap * (program.stages - 1.0)) * hop;
  const Seconds idle = through + paced + fill + once_max - slowest.total();
  slowest[StepPart::pipeline_bubble] = piped ? max(idle, Seconds{}) : Seconds{};
  report.parts = slowest.parts;
  report.step = slowest.total();
}

StepStatus memory_status(const MemoryReport& memory) {
  if (memory.reserved_at_start > memory.capacity) {
    return StepStatus::oom_init;
  }
  return memory.reserved > memory.capacity ? StepStatus::oom_late : StepStatus::ok;
}

}  // namespace

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
  report.memory = peak_memory(program, cluster.device, stack);
  report.status = memory_status(report.memory);
  if (report.status != StepStatus::ok) {
    return report;
  }
  const Machine machine{cluster, stack, plan};
  BlockCosts blocks;
  for (std::size_t i = 0; i < blocks.of.size(); ++i) {
    blocks.of[i] = block_cost(program, static_cast<BlockId>(i), machine);
  }
  assemble(program, blocks, machine, report);
  return report;
}

}  // namespace cubicbench::sim
