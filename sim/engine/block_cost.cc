#include "sim/engine/block_cost.h"

#include "sim/engine/operation_time.h"

namespace cubicbench::sim {
namespace {

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

}  // namespace

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

}  // namespace cubicbench::sim
