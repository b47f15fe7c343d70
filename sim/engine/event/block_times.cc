#include "sim/engine/event/block_times.h"

#include <array>

#include "sim/base/slowest.h"
#include "sim/base/units.h"
#include "sim/engine/operation_time.h"
#include "sim/plan/context_exchange.h"

namespace cubicbench::sim {
namespace {

Collective collective_of(OperationKind kind) {
  return kind == OperationKind::all_reduce   ? Collective::all_reduce
         : kind == OperationKind::all_to_all ? Collective::all_to_all
                                             : Collective::all_gather;
}

bool is_kernel(const Operation& op) {
  return op.stream != Stream::tensor && op.stream != Stream::expert_storage &&
         !joins_context(op.stream) && !carries_tokens(op.stream);
}

const char* kernel_name(const Operation& op) {
  if (op.part == StepPart::embedding_lookup) return "embedding rows";
  if (op.kind != OperationKind::gemm)
    return mixes_tokens(op) ? "attention" : "memory-bound kernels";
  return computes_experts(op) ? "experts' products" : "matrix product";
}

/// Collectives on one stream, as one transfer, by the algorithm that most of the time is of.
Transfer traffic_of(Stream stream, std::span<const Operation> operations, const Group& group,
                    const BlockPlace& on) {
  Transfer all;
  for (const Operation& op : operations) {
    if (op.stream != stream) continue;
    const Seconds wait =
        stream == Stream::tensor ? op.count * group_wait(group, on.stack) : Seconds{};
    const Transfer one = transfer(op, group, on.cluster.network, wait);
    if (one.busy >= all.busy) {
      all.op = one.op;
      all.algorithm = one.algorithm;
    }
    all.bytes += one.bytes;
    all.latency += one.latency;
    all.busy += one.busy;
  }
  return all;
}

/// The time of waiting is never hidden: it stays with the bare part.
void split(const Transfer& all, SimTime waits, double hidden, BlockTimes& times) {
  Transfer moving = all;
  moving.latency -= waits;
  times.hidden = part_of(moving, hidden);
  times.bare = rest_of(all, times.hidden);
}

double hidden_share(const BlockPlace& on) {
  // Asynchronous TP pipelines the gathers and scatters of sequence parallelism with their GEMMs.
  const bool asynchronous = on.plan.async_tensor_parallel && on.plan.sequence_parallel;
  return asynchronous ? async_overlap(on.stack) : on.stack.tensor_overlap;
}

SimTime waits_of(std::span<const Operation> operations, const BlockPlace& on) {
  Seconds sum;
  for (const Operation& op : operations) {
    if (op.stream == Stream::tensor) sum += op.count * group_wait(on.mesh.tensor, on.stack);
  }
  return to_sim_time(sum);
}

/// Launches of the block's kernels, and the spread of launches among the hosts of a group. In a
/// network whose ranks keep each other waiting, hosts wait as well [docs/models.md, Eq. N-1].
void add_hosts(const Block& block, Seconds waits, const BlockPlace& on, BlockTimes& times) {
  if (block.host_passes <= 0.0) return;
  const double passes = block.host_passes * (on.plan.compile ? on.stack.compiled_host_factor : 1.0);
  Seconds launches = launch_time(block, on.plan.compile, on.cluster.device, on.stack);
  const Seconds slow = on.cluster.state.launch_wait;
  if (slow.value > 0.0 && on.mesh.tensor.ranks > 1) {
    launches += waits + (block.host_passes * real(on.mesh.tensor.ranks)) * slow;
  }
  times.host = to_sim_time(launches);
  if (!on.stack.cuda_graphs && on.stack.host_jitter.value > 0.0) {
    times.late_hosts =
        to_sim_time((latest_of(on.mesh.tensor.ranks) * passes) * on.stack.host_jitter);
  }
}

/// Experts come from host memory, and to it from SSD. With prefetch these are the next layer's,
/// which come beside this one on both links at once [docs/models.md, Eq. X-8].
void add_stored(std::span<const Operation> operations, const BlockPlace& on, BlockTimes& times) {
  std::array<Seconds, 2> links{};
  for (const Operation& op : operations) {
    if (op.stream != Stream::expert_storage) continue;
    const bool disk = op.kind == OperationKind::storage_copy;
    links[disk ? 1 : 0] += kernel_time(op, on.cluster.device, on.stack);
  }
  times.stored_beside = on.plan.expert_prefetch;
  times.stored = to_sim_time(times.stored_beside ? max(links[0], links[1]) : links[0] + links[1]);
}

/// A ring's exchanges run beside all blocks of attention but the last.
void split_ring(SimTime attention, const BlockPlace& on, BlockTimes& times) {
  const bool rings = context_exchange(on.plan, on.stack) == ContextExchange::ring;
  if (!rings || times.context.alone() == SimTime{}) return;
  times.tail = attention / ring_degree(on.plan);
  times.beside = attention - times.tail;
}

}  // namespace

Transfer transfer(Collective op, Bytes bytes, double times, const Group& group,
                  const Network& network, Seconds wait) {
  if (group.ranks == 1 || bytes.value <= 0.0 || times <= 0.0) return {};
  const CollectiveCost cost = collective_cost(op, bytes, group, network);
  Transfer all{.op = op, .algorithm = cost.algorithm, .bytes = times * bytes};
  all.latency = to_sim_time(times * cost.start + wait);
  all.busy = to_sim_time(times * cost.time + wait) - all.latency;
  return all;
}

Transfer transfer(const Operation& op, const Group& group, const Network& network, Seconds wait) {
  return transfer(collective_of(op.kind), op.bytes, op.count, group, network, wait);
}

Transfer part_of(const Transfer& whole, double share) {
  Transfer part = whole;
  part.bytes = share * whole.bytes;
  part.latency = scaled(whole.latency, share);
  part.busy = scaled(whole.alone(), share) - part.latency;
  return part;
}

Transfer rest_of(const Transfer& whole, const Transfer& part) {
  Transfer rest = whole;
  rest.bytes = whole.bytes - part.bytes;
  rest.latency = whole.latency - part.latency;
  rest.busy = whole.busy - part.busy;
  return rest;
}

BlockTimes part_of(const BlockTimes& whole, std::uint16_t row, double share) {
  BlockTimes part{.name = whole.name, .of = row, .share = share};
  for (std::size_t i = 0; i < part.kernels_by_part.size(); ++i) {
    part.kernels_by_part[i] = scaled(whole.kernels_by_part[i], share);
    part.kernels += part.kernels_by_part[i];
  }
  for (const KernelTime& kernel : whole.kernel_list) {
    part.kernel_list.push_back({kernel.name, scaled(kernel.time, share), kernel.leg});
  }
  part.tail = scaled(whole.tail, share);
  part.beside = scaled(whole.beside, share);
  part.heads = part_of(whole.heads, share);
  part.context = part_of(whole.context, share);
  part.hidden = part_of(whole.hidden, share);
  part.bare = part_of(whole.bare, share);
  part.experts = part_of(whole.experts, share);
  part.stored = scaled(whole.stored, share);
  part.stored_beside = whole.stored_beside;
  part.host = scaled(whole.host, share);
  part.late_hosts = scaled(whole.late_hosts, share);
  return part;
}

BlockTimes block_times(const char* name, const Block& block, std::span<const Operation> all,
                       const BlockPlace& on) {
  const std::span<const Operation> operations = operations_in(block, all);
  BlockTimes times{.name = name};
  SimTime attention{};
  SimTime experts{};
  for (const Operation& op : operations) {
    if (!is_kernel(op)) continue;
    const SimTime time = to_sim_time(kernel_time(op, on.cluster.device, on.stack));
    const bool of_experts = computes_experts(op);
    times.kernel_list.push_back({kernel_name(op), time, static_cast<std::uint8_t>(of_experts)});
    if (of_experts) experts += time;
    times.kernels += time;
    times.kernels_by_part[static_cast<std::size_t>(op.part)] += time;
    if (mixes_tokens(op)) attention += time;
  }
  times.heads = traffic_of(Stream::context_heads, operations, on.mesh.context_heads, on);
  times.context = traffic_of(Stream::context, operations, on.mesh.context, on);
  const SimTime waits = waits_of(operations, on);
  split(traffic_of(Stream::tensor, operations, on.mesh.tensor, on), waits, hidden_share(on), times);
  const double hidden = on.plan.expert_overlap ? on.stack.dispatch_overlap : 0.0;
  add_legs(operations, experts, block.is_pair ? 1.0 : hidden, on, times);
  add_stored(operations, on, times);
  add_hosts(block, to_seconds(waits), on, times);
  split_ring(attention, on, times);
  return times;
}

}  // namespace cubicbench::sim
