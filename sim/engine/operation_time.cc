#include "sim/engine/operation_time.h"

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/slowest.h"
#include "sim/engine/matrix_time.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::sim {
namespace {

/// Assumed: the launch of a kernel takes 4 to 6 us of the host (measured: susun-blog.com/blog/
/// pegainfer-3-cuda-graph), that of a graph about as much, and what calls it as much again. Beside
/// the 0.8 to 1.4 ms of a layer's own launches the size hardly matters.
constexpr Seconds graph_launch{10e-6};

}  // namespace

Seconds kernel_time(const Operation& op, const Device& device, const Stack& stack) {
  switch (op.kind) {
    case OperationKind::gemm:
      return op.count *
             gemm_time(device, op.dtype, op.gemm, training_factor(device, op.dtype, stack));
    case OperationKind::attention_forward:
      return op.count * attention_forward(device, stack, op.dtype, op.attention);
    case OperationKind::attention_backward:
      return op.count * attention_backward(device, stack, op.dtype, op.attention);
    case OperationKind::scan:
      return op.count * (scan_limits(device, op.dtype, op.scan).compute + device.kernel_overhead);
    case OperationKind::memory_bound:
      return op.count * memory_bound_time(device, op.bytes);
    case OperationKind::host_copy:
      return op.count * (op.bytes / device.host_bandwidth);
    case OperationKind::storage_copy:
      return op.count * (op.bytes / device.storage_bandwidth);
    case OperationKind::pause:
      return op.count * op.time;
    case OperationKind::gather:
    case OperationKind::all_reduce:
    case OperationKind::all_to_all:
      break;
  }
  SIM_ASSERT(false, static_cast<int>(op.kind));
  return {};
}

Seconds operation_time(const Operation& op, const Group& group, const Cluster& cluster,
                       const Stack& stack) {
  switch (op.kind) {
    case OperationKind::gather:
      return op.count * all_gather(op.bytes, group, cluster.network);
    case OperationKind::all_reduce:
      return op.count * all_reduce(op.bytes, group, cluster.network);
    case OperationKind::all_to_all:
      return op.count * all_to_all(op.bytes, group, cluster.network);
    default:
      return kernel_time(op, cluster.device, stack);
  }
}

Seconds update_time(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                    const Stack& stack) {
  const Device& device = cluster.device;
  double owned = trained_parameters(run.weights) / program.optimizer_shards;
  if (program.expert_host_bytes == 0.0) {
    owned += run.expert_weights.parameters / program.expert_optimizer_shards;
  }
  if (program.offloaded_bytes_per_parameter > 0.0) {
    return Bytes{program.offloaded_bytes_per_parameter * owned} / device.host_bandwidth;
  }
  const double streamed = program.optimizer_bytes_per_parameter * owned;
  const MatrixUpdate& matrices = program.matrix_update;
  if (matrices.steps == 0) return memory_bound_time(device, Bytes{streamed});
  const double of_matrices = run.weights.matrix_parameters / program.optimizer_shards +
                             run.expert_weights.matrix_parameters / program.expert_optimizer_shards;
  return memory_bound_time(device, Bytes{streamed + matrices.bytes_per_parameter * of_matrices}) +
         matrix_time(program, run, cluster, stack);
}

Seconds stored_update_time(const StepProgram& program, const StageRun& run, const Device& device) {
  const double owned = run.expert_weights.parameters / program.expert_optimizer_shards;
  return Bytes{program.expert_host_bytes * owned} / device.host_memory_bandwidth +
         Bytes{program.expert_storage_bytes * owned} / device.storage_bandwidth;
}

Seconds group_wait(const Group& group, const Stack& stack) {
  return nodes_of(group) == 1 ? Seconds{}
                              : static_cast<double>(group.ranks) * stack.latency_per_rank;
}

Seconds launch_time(const Block& block, bool compiled, const Device& device, const Stack& stack) {
  if (stack.cuda_graphs) return block.host_passes > 0.0 ? graph_launch : Seconds{};
  if (counts_kernels(stack)) return (device.host_factor * block.launches) * stack.launch;
  const double factor = compiled ? stack.compiled_host_factor : 1.0;
  return (factor * block.host_passes) * stack.host_layer_forward;
}

Seconds jitter_wait(const Block& block, const Group& group, bool compiled, const Stack& stack) {
  if (stack.host_jitter.value == 0.0 || stack.cuda_graphs) return {};
  const double factor = compiled ? stack.compiled_host_factor : 1.0;
  return (latest_of(group.ranks) * factor * block.host_passes) * stack.host_jitter;
}

Seconds host_wait(Seconds gpu, Seconds host, const Stack& stack) {
  if (gpu.value <= 0.0 || host.value <= 0.0) return host;
  const double q = stack.host_smoothness;
  const Seconds longer = max(gpu, host);
  const double ratio = min(gpu, host) / longer;
  return longer * pow(1.0 + pow(ratio, q), 1.0 / q) - gpu;
}

}  // namespace cubicbench::sim
