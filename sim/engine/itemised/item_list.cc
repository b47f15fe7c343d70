#include "sim/engine/itemised/item_list.h"

#include <algorithm>
#include <array>

#include "sim/engine/operation_time.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::sim {
namespace {

constexpr std::array<Collective, pattern_count> collectives{
    Collective::all_gather, Collective::reduce_scatter, Collective::all_gather,
    Collective::all_reduce, Collective::all_to_all,     Collective::send_receive};

/// Of a kernel once.
KernelLimits limits_of(const Operation& op, const Device& device, const Stack& stack) {
  switch (op.kind) {
    case OperationKind::gemm:
      return gemm_limits(device, op.dtype, op.gemm, training_factor(device, op.dtype, stack));
    case OperationKind::attention_forward:
      return attention_limits(device, stack, op.dtype, op.attention);
    case OperationKind::attention_backward: {
      const double ratio = attention_backward_ratio(stack);
      const KernelLimits forward = attention_limits(device, stack, op.dtype, op.attention);
      return {.work = ratio * forward.work,
              .traffic = ratio * forward.traffic,
              .compute = ratio * forward.compute,
              .memory = ratio * forward.memory};
    }
    case OperationKind::scan:
      return scan_limits(device, op.dtype, op.scan);
    case OperationKind::memory_bound:
      return {.work = {},
              .traffic = op.bytes,
              .compute = {},
              .memory = memory_bound_time(device, op.bytes)};
    default:
      return {};
  }
}

KernelRole role_of(const Operation& op, KernelRole otherwise) {
  if (op.role != KernelRole::other) return op.role;
  if (mixes_tokens(op)) return KernelRole::attention;
  const bool streams = op.kind == OperationKind::memory_bound;
  const bool of_rows = otherwise == KernelRole::row_lookup || otherwise == KernelRole::row_update;
  return streams && !of_rows ? KernelRole::element_wise : otherwise;
}

bool is_kernel(const Operation& op) {
  return op.kind == OperationKind::gemm || mixes_tokens(op) ||
         op.kind == OperationKind::memory_bound;
}

Pattern pattern_of(const Operation& op) {
  if (op.kind == OperationKind::all_reduce) return Pattern::all_reduce;
  if (op.kind == OperationKind::all_to_all) return Pattern::all_to_all;
  switch (op.stream) {
    case Stream::tensor:
    case Stream::context:  // gathered forward, scattered backward
    case Stream::expert:
    case Stream::expert_tensor:
      return Pattern::gather_and_scatter;
    default:
      return Pattern::all_gather;
  }
}

/// How many collectives of each size a pass over all chunks has.
struct UnitCounts {
  double others = 1.0;  ///< all units but the last one of each chunk
  double last = 0.0;
  double ends = 0.0;  ///< what lies outside the layers

  UnitCounts(const WeightTraffic& traffic, const WeightUnits& weights, double chunks) {
    if (!traffic.in_units) return;  // all weights at once
    others = weights.units - chunks;
    last = chunks;
    ends = weights.end_parameters > 0.0 ? 1.0 : 0.0;
  }

  Transmission transmission(const WeightCost& cost, Seconds UnitCost::*time, double passes) const {
    Transmission one;
    one.count = passes * (others + last + ends);
    one.time =
        passes * (others * cost.unit.*time + last * cost.last.*time + ends * cost.ends.*time);
    return one;
  }
};

}  // namespace

void ItemList::add_kernel(const Operation& op, double passes, KernelRole otherwise) {
  if (passes <= 0.0 || !is_kernel(op) || detail_ == ItemDetail::traffic) return;
  const KernelRole role = role_of(op, otherwise);
  const Dtype dtype = mixes_tokens(op) ? attention_dtype(op.dtype) : op.dtype;
  const auto is_it = [&](const KernelSum& sum) {
    return sum.role == role && sum.part == op.part && sum.dtype == dtype;
  };
  auto found = std::ranges::find_if(step_.kernels, is_it);
  if (found == step_.kernels.end()) {
    found = step_.kernels.insert(found, {.role = role, .part = op.part, .dtype = dtype});
  }
  const KernelLimits one = limits_of(op, cluster_.device, stack_);
  const double times = passes * op.count;
  found->count += times;
  found->work += times * one.work;
  found->traffic += times * one.traffic;
  found->compute += times * one.compute;
  found->memory += times * one.memory;
  found->time += passes * kernel_time(op, cluster_.device, stack_);
}

void ItemList::add_collective(const Operation& op, double passes, const Group& group,
                              StepItem term) {
  if (passes <= 0.0) return;
  const bool in_layers = op.stream == Stream::tensor || joins_context(op.stream);
  add({.term = term,
       .pattern = pattern_of(op),
       .group = group,
       // Elsewhere `op.count` is what software takes longer, or a share that is not hidden.
       .count = passes * (in_layers ? op.count : 1.0),
       .bytes = op.bytes,
       .time = passes * operation_time(op, group, cluster_, stack_)});
}

void ItemList::add(Transmission one) {
  if (one.group.ranks <= 1 || one.count <= 0.0) return;
  const auto is_it = [&](const Transmission& other) {
    return other.term == one.term && other.pattern == one.pattern && other.group == one.group &&
           other.bytes == one.bytes;
  };
  const auto found = std::ranges::find_if(step_.transmissions, is_it);
  if (found != step_.transmissions.end()) {
    found->count += one.count;
    found->time += one.time;
    return;
  }
  if (detail_ == ItemDetail::all) {
    const Collective op = collectives[static_cast<std::size_t>(one.pattern)];
    one.cost = collective_cost(op, one.bytes, one.group, cluster_.network);
  }
  step_.transmissions.push_back(one);
}

void ItemList::add_weights(const SharedWeights& shared, double chunks, double micro_batches) {
  const WeightTraffic& w = shared.traffic;
  if (shared.weights.parameters <= 0.0) return;
  const WeightCost cost = weight_cost(shared, chunks, cluster_, stack_);
  const UnitCounts all(w, shared.weights, chunks);
  UnitCounts layers = all;  // backward, nothing outside them is gathered again
  layers.ends = 0.0;
  const double trained = shared.weights.unit_trained;
  const UnitCounts& reduced = shared.weights.ends_trained > 0.0 ? all : layers;
  const double gathered =
      w.in_units ? layer_gather_bytes(w, shared.weights) : trained * w.gather_bytes_per_parameter;
  const auto add_all = [&](StepItem term, Pattern pattern, const Group& group, Transmission one,
                           double bytes_per_parameter) {
    one.term = term;
    one.pattern = pattern;
    one.group = group;
    one.bytes = Bytes{bytes_per_parameter * shared.weights.unit_parameters};
    add(one);
  };
  const WeightGroups& groups = shared.groups;
  const double once = w.schedule.gathers_once() ? 1.0 : 0.0;
  const double forward = w.schedule.forward.gathers() ? micro_batches : once;
  const double backward = w.schedule.backward.gathers() ? micro_batches : 0.0;
  add_all(StepItem::weight_gathers, Pattern::all_gather, groups.shard,
          all.transmission(cost, &UnitCost::gather, forward), gathered);
  add_all(StepItem::weight_gathers, Pattern::all_gather,
          w.backward_over_reshard_group ? groups.reshard : groups.shard,
          layers.transmission(cost, &UnitCost::gather_backward, backward), gathered);
  const double reductions = w.schedule.reduces_each_micro_batch() ? micro_batches : 1.0;
  const double bytes = trained * w.reduce_bytes_per_parameter;
  const Transmission inside = reduced.transmission(cost, &UnitCost::scatter, reductions);
  if (!w.reduce_scatters) {
    return add_all(StepItem::gradient_reductions, Pattern::all_reduce, groups.replica, inside,
                   bytes);
  }
  add_all(StepItem::gradient_reductions, Pattern::reduce_scatter, groups.shard, inside, bytes);
  add_all(StepItem::gradient_reductions, Pattern::all_reduce, groups.replicate,
          reduced.transmission(cost, &UnitCost::copy, reductions),
          bytes / static_cast<double>(groups.shard.ranks));
}

std::pair<Seconds, Seconds> divided(Seconds whole, Seconds a, Seconds b) {
  const Seconds sum = a + b;
  const double share = sum > Seconds{} ? a / sum : 0.5;
  return {share * whole, whole - share * whole};
}

}  // namespace cubicbench::sim
