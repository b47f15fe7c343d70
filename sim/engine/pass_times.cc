#include "sim/engine/pass_times.h"

#include "sim/engine/operation_time.h"

namespace cubicbench::sim {
namespace {

Seconds device_time(const StepProgram& program, BlockId id, const Cluster& cluster,
                    const Stack& stack) {
  const Block& block = program.blocks[static_cast<std::size_t>(id)];
  const Group& group = program.mesh.tensor;
  const bool hosts_wait = cluster.state.launch_wait > Seconds{} && nodes_of(group) > 1;
  Seconds sum;
  for (const Operation& op : operations_in(block, program.operations)) {
    if (op.stream == Stream::tensor) {
      if (hosts_wait) continue;
      sum += op.count * group_wait(group, stack);
    }
    const Group& of_stream = op.stream == Stream::context ? program.mesh.context : group;
    sum += operation_time(op, of_stream, cluster, stack);
  }
  return sum;
}

}  // namespace

PassTimes pass_times(const StepProgram& program, const Plan& plan, const Cluster& cluster,
                     const Stack& stack) {
  const Block& layer = program.blocks[static_cast<std::size_t>(BlockId::layer_forward)];
  const auto ranks = static_cast<double>(program.mesh.tensor.ranks);
  PassTimes times;
  times.layer_host = launch_time(layer, plan.compile, stack);
  if (ranks > 1.0) times.layer_host += (layer.host_passes * ranks) * cluster.state.launch_wait;
  times.layer_forward = device_time(program, BlockId::layer_forward, cluster, stack);
  times.layer_backward = device_time(program, BlockId::layer_backward, cluster, stack);
  if (!recomputes_whole_layers(plan)) {
    times.layer_backward += device_time(program, BlockId::layer_recompute, cluster, stack);
  }
  times.head = device_time(program, BlockId::head, cluster, stack);
  times.device_memory = cluster.device.memory_efficiency * cluster.device.memory_bandwidth;
  return times;
}

}  // namespace cubicbench::sim
