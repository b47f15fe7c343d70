#include "sim/engine/weight_time.h"

#include "sim/engine/operation_time.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

/// Weight collectives that run beside compute, each kind one after the other. Gathers and scatters
/// share a stream; copies of shards are reduced on one of their own.
struct Traffic {
  Seconds gathers;
  Seconds scatters;  ///< reductions inside the sharding group; all of them where there is none
  Seconds copies;    ///< reductions across its copies

  Seconds first_stream() const { return gathers + scatters; }
  /// While any of them runs: copies follow their scatter, beside the next gather.
  Seconds running() const { return scatters + max(gathers, copies); }
};

/// Weight collectives of one pass over the weights.
struct WeightCost {
  Seconds gather;                 ///< over the sharding group, of the layers
  Seconds gather_ends;            ///< of what lies outside them
  Seconds gather_backward;        ///< over the group that backward gathers from
  Seconds gather_first;           ///< one unit, before there is compute to hide it
  Seconds gather_backward_first;  ///< the same of a backward pass
  Seconds scatter;                ///< reductions inside the sharding group
  Seconds copy;                   ///< and across its copies
  Seconds scatter_last;           ///< one unit, after there is compute to hide it
  Seconds copy_last;
};

/// What collectives over weights run on, and in how many of them a payload travels: one a unit, or
/// one a layer as its gradients are ready.
struct Links {
  const Cluster& cluster;
  const Stack& stack;
  double collectives = 1.0;
};

/// What ranks of a group between nodes wait for each other [docs/models.md, Eq. C-5 and N-1].
/// An all-reduce is a scatter and a gather: two `halves`.
Seconds wait_time(const Group& group, double halves, const Links& on) {
  if (nodes_of(group) == 1) return {};
  const double ranks = halves * static_cast<double>(group.ranks);
  return on.collectives * (group_wait(group, on.stack) + ranks * on.cluster.state.collective_wait);
}

Seconds gather_time(Bytes payload, const Group& group, const Links& on) {
  return all_gather(payload, group, on.cluster.network) + wait_time(group, 1.0, on);
}

Seconds reduce_time(Bytes payload, const Group& group, const Links& on) {
  return all_reduce(payload, group, on.cluster.network) + wait_time(group, 2.0, on);
}

/// One reduction of gradients: inside the sharding group, then across its copies.
struct ReduceCost {
  Seconds inside;
  Seconds across;
  Seconds total() const { return inside + across; }
};

ReduceCost reduce_cost(Bytes payload, const WeightTraffic& w, const WeightGroups& groups,
                       const Links& on) {
  if (!w.reduce_scatters) {
    return {reduce_time(payload, groups.replica, on), {}};
  }
  const auto shards = static_cast<double>(groups.shard.ranks);
  return {gather_time(payload, groups.shard, on),
          reduce_time(payload / shards, groups.replicate, on)};
}

WeightCost weight_cost(const WeightTraffic& w, const WeightUnits& weights,
                       const WeightGroups& groups, const Cluster& cluster, const Stack& stack) {
  const Links gathers{cluster, stack};
  const Links reductions{cluster, stack, w.in_units ? 1.0 : weights.layers};
  const auto gather = [&](double parameters, const Group& group) {
    return gather_time(Bytes{parameters * w.gather_bytes_per_parameter}, group, gathers);
  };
  const auto reduce = [&](double parameters) {
    const Bytes payload{parameters * w.reduce_bytes_per_parameter};
    return reduce_cost(payload, w, groups, reductions);
  };
  const double ends = w.in_units ? weights.end_parameters : 0.0;
  WeightCost cost;
  cost.gather = weights.units * gather(weights.unit_parameters, groups.shard);
  cost.gather_backward = w.backward_over_reshard_group
                             ? weights.units * gather(weights.unit_parameters, groups.reshard)
                             : cost.gather;
  const ReduceCost unit = reduce(weights.unit_parameters);
  cost.scatter = weights.units * unit.inside;
  cost.copy = weights.units * unit.across;
  if (w.in_units) {
    cost.gather_first = cost.gather / weights.units;
    cost.gather_backward_first = cost.gather_backward / weights.units;
    cost.scatter_last = unit.inside;
    cost.copy_last = unit.across;
  }
  if (ends > 0.0) {  // the root unit stays gathered between forward and backward
    const ReduceCost root = reduce(ends);
    cost.gather_ends = gather(ends, groups.shard);
    cost.scatter += root.inside;
    cost.copy += root.across;
  }
  return cost;
}

double speed_lost(const Stack& stack) {
  return stack.overlap_cost < 1.0 ? stack.overlap_cost : 1.0;
}

/// What compute `c` itself takes longer while FSDP's traffic shares the device with it.
Seconds slowed(Seconds c, const Traffic& m, const WeightTraffic& w, const Stack& stack) {
  return w.in_units ? speed_lost(stack) * min(c, m.running()) : Seconds{};
}

/// What traffic adds to compute `c` that it runs beside [docs/models.md, Eq. D-1, D-2].
/// FSDP units share SMs and memory with compute, so that both are slower by 1 + x while both run:
/// c + x min(c, m), or m + x min(c, m) where that is longer. Copies also run while others are
/// waited for, `bare`. Bucketed data parallelism hides a share o of its traffic, never more than
/// the compute there is; ZeRO-1 has a share of its own, for not every trainer overlaps both.
Seconds exposed(Seconds c, const Traffic& m, Seconds bare, const WeightTraffic& w,
                const Stack& stack) {
  if (!w.in_units) {
    const double share = w.reduce_scatters ? stack.zero1_overlap : stack.data_overlap;
    const Seconds all = m.gathers + m.scatters + m.copies;
    return max(all - c, (1.0 - share) * all);
  }
  const auto beyond = [&](Seconds stream) {
    return stream + speed_lost(stack) * min(c, stream) - c;
  };
  return max(slowed(c, m, w, stack), max(beyond(m.first_stream()), beyond(m.copies) - bare));
}

/// The compute that traffic of FSDP units can run beside. Gathers end before the last unit of a
/// pass begins, beside which the weights outside the layers are gathered; reductions begin when its
/// first unit has ended, whose compute only the next unit's gather runs beside.
struct Cover {
  Seconds forward;
  Seconds ends;
  Seconds gathers;   ///< backward, of a micro-batch that reduces nothing
  Seconds backward;  ///< of one that does
};

Cover cover_of(const WeightTraffic& w, const WeightUnits& weights, const WeightCost& cost,
               const WeightPasses& passes) {
  if (!w.in_units) return {passes.forward, {}, passes.backward, passes.backward};
  const double firsts = w.gather_forward ? passes.chunks : 1.0;
  const Seconds unit = passes.backward / weights.units;
  const Seconds gather = w.backward_gather_hides ? cost.gather_backward_first : Seconds{};
  const Seconds last = passes.forward / weights.units;
  return {.forward = passes.forward - firsts * last,
          .ends = last,
          .gathers = passes.backward - passes.chunks * unit,
          .backward = passes.backward - passes.chunks * max(unit - gather, Seconds{})};
}

}  // namespace

WeightTime weight_time(const WeightTraffic& w, const WeightUnits& weights,
                       const WeightGroups& groups, const WeightPasses& passes,
                       const Cluster& cluster, const Stack& stack) {
  const WeightCost cost = weight_cost(w, weights, groups, cluster, stack);
  const Cover cover = cover_of(w, weights, cost, passes);
  Traffic hidden;
  Seconds bare;
  if (w.gather_backward && w.backward_gather_hides) {
    // Nothing is left gathered from a forward pass long ago: each pass begins with its first unit.
    bare = passes.pipelined ? passes.chunks * cost.gather_backward_first : Seconds{};
    hidden.gathers = cost.gather_backward - bare;
  } else if (w.gather_backward) {
    bare = cost.gather_backward;
  }
  const Seconds gathering = exposed(cover.gathers, hidden, bare, w, stack);
  const Seconds gathering_slows = slowed(cover.gathers, hidden, w, stack);
  // A backward pass waits for its last reduction; of accumulated gradients, only the step does.
  const double lasts = w.reduce_each_micro_batch ? passes.chunks : 1.0;
  const Seconds last = lasts * (cost.scatter_last + cost.copy_last);
  const Seconds scatters = cost.scatter - lasts * cost.scatter_last;
  const Seconds waited_for = w.reduce_hides ? Seconds{} : scatters;  // by the next gather
  hidden.scatters = scatters - waited_for;
  hidden.copies = cost.copy - lasts * cost.copy_last;
  const Seconds reducing =
      waited_for + exposed(cover.backward, hidden, bare + waited_for, w, stack) + last;
  WeightTime time;
  time.backward = bare + (w.reduce_each_micro_batch && w.in_units ? reducing : gathering);
  if (w.reduce_each_micro_batch && !w.in_units) time.after = reducing;
  const Seconds first = (w.gather_forward ? passes.chunks : 1.0) * cost.gather_first;
  const Seconds forward = first +
                          exposed(cover.forward, {cost.gather - first, {}, {}}, {}, w, stack) +
                          exposed(cover.ends, {cost.gather_ends, {}, {}}, {}, w, stack);
  if (w.gather_forward) time.forward = forward;
  if (w.gather_once) time.begin = forward;
  if (!w.reduce_each_micro_batch) {
    // What the pass itself takes longer holds up the stages before it as well.
    time.last =
        waited_for + max(slowed(cover.backward, hidden, w, stack) - gathering_slows, Seconds{});
    time.end = reducing - gathering - time.last;
  }
  return time;
}

}  // namespace cubicbench::sim
