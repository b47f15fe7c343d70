#include "sim/engine/block_cost.h"

#include <array>
#include <cstddef>

#include "sim/engine/operation_time.h"
#include "sim/plan/context_exchange.h"

namespace cubicbench::sim {
namespace {

/// Time of tokens on their way to experts and back, by stream.
struct DispatchTime {
  Seconds flat;
  Seconds on_node;
  Seconds across;
  Seconds sharing;  ///< among ranks that share an expert

  void add(Stream stream, Seconds time) {
    (stream == Stream::expert_node     ? on_node
     : stream == Stream::expert_across ? across
     : stream == Stream::expert_tensor ? sharing
                                       : flat) += time;
  }

  /// Steps one after the other, or the slower of both where they are pipelined; no more can hide
  /// than there is compute to hide under [docs/models.md, Eq. X-6].
  Seconds exposed(Seconds compute, double hidden, const StepContext& on) const {
    const bool pipelined = on.plan.expert_dispatch == ExpertDispatch::deepep;
    const Seconds tokens = flat + (pipelined ? max(on_node, across) : on_node + across);
    return max(tokens - max(compute, Seconds{}), (1.0 - hidden) * tokens) + sharing;
  }
};

/// Share of tokens' way that runs beside compute of another micro-batch: all of it in a pair, whose
/// passes are of two.
double hidden_tokens(const Block& block, const StepContext& on) {
  if (block.is_pair) return 1.0;
  return on.plan.expert_overlap ? on.stack.dispatch_overlap : 0.0;
}

/// Experts on their way from where they are stored.
struct StorageTime {
  Seconds link;
  Seconds disk;

  void add(OperationKind kind, Seconds time) {
    (kind == OperationKind::storage_copy ? disk : link) += time;
  }

  /// Those of the next layer come beside this one, `pass`, where they are prefetched; both ways at
  /// once [docs/models.md, Eq. X-8].
  Seconds exposed(Seconds pass, const Plan& plan) const {
    return plan.expert_prefetch ? max(max(link, disk) - pass, Seconds{}) : link + disk;
  }
};

/// Launches of a block's kernels, fewer when compiled. In a network whose ranks keep each other
/// waiting their hosts do as well, `wait` and what the network adds [docs/models.md, Eq. N-1].
Seconds host_time(const StepProgram& program, const Block& block, Seconds wait,
                  const StepContext& on) {
  const Seconds launches = launch_time(block, on.plan.compile, on.cluster.device, on.stack);
  const Seconds slow = on.cluster.state.launch_wait;
  const auto ranks = static_cast<double>(program.mesh.tensor.ranks);
  if (slow.value == 0.0 || ranks == 1.0) return launches;
  return launches + wait + (block.host_passes * ranks) * slow;
}

/// What a ring of c ranks leaves of its exchanges, each beside one of the first c - 1 blocks of
/// attention [docs/models.md, Eq. T-7].
Seconds exposed_ring(Seconds exchanges, Seconds attention, const Plan& plan) {
  const auto c = static_cast<double>(ring_degree(plan));
  return max(exchanges - ((c - 1.0) / c) * attention, Seconds{});
}

Seconds device_time(const StepProgram& program, const Block& block, const Cluster& cluster,
                    const Stack& stack) {
  const Group& group = program.mesh.tensor;
  const bool hosts_wait = cluster.state.launch_wait > Seconds{} && nodes_of(group) > 1;
  Seconds sum;
  for (const Operation& op : operations_in(block, program.operations)) {
    if (op.stream == Stream::tensor) {
      if (hosts_wait) continue;
      sum += op.count * group_wait(group, stack);
    }
    sum += operation_time(op, group_of(program.mesh, op.stream), cluster, stack);
  }
  return sum;
}

}  // namespace

const Group& group_of(const DeviceMesh& mesh, Stream stream) {
  constexpr std::array groups{&DeviceMesh::tensor,        &DeviceMesh::tensor,
                              &DeviceMesh::context,       &DeviceMesh::context_heads,
                              &DeviceMesh::expert,        &DeviceMesh::expert_node,
                              &DeviceMesh::expert_across, &DeviceMesh::expert_tensor};
  const auto row = static_cast<std::size_t>(stream);
  return row < groups.size() ? mesh.*groups[row] : mesh.tensor;
}

StepCost block_cost(const StepProgram& program, const Block& block, const StepContext& on) {
  if (block.begin == block.end) return {};
  // Asynchronous TP pipelines the gathers and scatters of sequence parallelism with their GEMMs.
  const bool asynchronous = on.plan.async_tensor_parallel && on.plan.sequence_parallel;
  const double hidden = asynchronous ? async_overlap(on.stack) : on.stack.tensor_overlap;
  StepCost cost;
  Seconds compute;
  Seconds tensor;
  Seconds wait;  // of the ranks for each other
  Seconds context;
  Seconds attention;
  DispatchTime dispatch;
  StorageTime storage;
  for (const Operation& op : operations_in(block, program.operations)) {
    const Seconds time =
        operation_time(op, group_of(program.mesh, op.stream), on.cluster, on.stack);
    if (op.stream == Stream::tensor) {
      tensor += time;
      wait += op.count * group_wait(program.mesh.tensor, on.stack);
      continue;
    }
    if (op.stream == Stream::context) {
      context += time;
      continue;
    }
    if (op.stream == Stream::context_heads) {
      cost[StepPart::context_communication] += time;
      continue;
    }
    if (op.stream == Stream::expert_storage) {
      storage.add(op.kind, time);
      continue;
    }
    if (carries_tokens(op.stream)) {
      dispatch.add(op.stream, time);
      continue;
    }
    cost[op.part] += time;
    compute += op.stream == Stream::compute ? time : Seconds{};
    attention += mixes_tokens(op) ? time : Seconds{};
  }
  const bool rings = context_exchange(on.plan, on.stack) == ContextExchange::ring;
  cost[StepPart::context_communication] +=
      rings ? exposed_ring(context, attention, on.plan) : context;
  // No more can hide than there is compute to hide under [docs/models.md, Eq. T-4].
  // GPUs of a group wait for each other: nothing hides that, and their hosts launch on meanwhile.
  cost[StepPart::tensor_communication] += max(tensor - compute, (1.0 - hidden) * tensor) + wait;
  const Seconds beside_tensor = min(compute, hidden * tensor);
  cost[StepPart::expert_communication] +=
      dispatch.exposed(compute - beside_tensor, hidden_tokens(block, on), on);
  cost[StepPart::expert_storage] += storage.exposed(cost.total(), on.plan);
  cost[StepPart::host] += host_wait(cost.total(), host_time(program, block, wait, on), on.stack) +
                          jitter_wait(block, program.mesh.tensor, on.plan.compile, on.stack);
  return cost;
}

BlockCosts block_costs(const StepProgram& program, const StepContext& on) {
  BlockCosts costs;
  for_each_block([&](const Block& block, StepCost& cost) { cost = block_cost(program, block, on); },
                 program.blocks, costs);
  return costs;
}

PassTimes pass_times(const StepProgram& program, const Plan& plan, const Cluster& cluster,
                     const Stack& stack) {
  const LayerPasses<Block>& layer = program.blocks.layers.front();
  const auto ranks = static_cast<double>(program.mesh.tensor.ranks);
  PassTimes times;
  times.layer_host = launch_time(layer.forward, plan.compile, cluster.device, stack);
  if (ranks > 1.0)
    times.layer_host += (layer.forward.host_passes * ranks) * cluster.state.launch_wait;
  times.layer_forward = device_time(program, layer.forward, cluster, stack);
  times.layer_backward = device_time(program, layer.backward, cluster, stack);
  if (!recomputes_whole_layers(plan)) {
    times.layer_backward += device_time(program, layer.recompute, cluster, stack);
  }
  times.head = device_time(program, program.blocks.head, cluster, stack);
  times.device_memory = cluster.device.memory_efficiency * cluster.device.memory_bandwidth;
  return times;
}

}  // namespace cubicbench::sim
