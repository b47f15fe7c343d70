#include "sim/engine/weight_time.h"

#include "sim/engine/operation_time.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

/// Weight collectives of one pass over the weights.
struct WeightCost {
  Seconds gather;           ///< over the sharding group
  Seconds gather_backward;  ///< over the group that backward gathers from
  Seconds reduce;
  Seconds gather_first;  ///< one unit, before there is compute to hide it
  Seconds reduce_last;   ///< and one after
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

/// `units` of them one after the other [docs/models.md, Eq. D-4]: the two kinds use different links
/// and streams, so we let one unit's copies be reduced while the next unit is scattered.
Seconds pipelined(const ReduceCost& one, double units) {
  return units * max(one.inside, one.across) + min(one.inside, one.across);
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
  cost.reduce = pipelined(unit, weights.units);
  if (w.in_units) {
    cost.gather_first = cost.gather / weights.units;
    cost.reduce_last = unit.total();
  }
  if (ends > 0.0) {  // the root unit stays gathered between forward and backward
    cost.gather += gather(ends, groups.shard);
    cost.reduce += reduce(ends).total();
  }
  return cost;
}

/// What traffic `m` adds to compute `c` that it runs beside [docs/models.md, Eq. D-1, D-2].
/// FSDP units share SMs and memory with compute: max(c, m) + x min(c, m), and never more than one
/// after the other. Bucketed data parallelism hides a share o of its traffic, never more than the
/// compute there is; ZeRO-1 has a share of its own, for not every trainer overlaps both.
Seconds exposed(Seconds c, Seconds m, const WeightTraffic& w, const Stack& stack) {
  if (w.in_units) {
    return min(m, max(c, m) + stack.overlap_cost * min(c, m) - c);
  }
  const double share = w.reduce_scatters ? stack.zero1_overlap : stack.data_overlap;
  return max(m - c, (1.0 - share) * m);
}

}  // namespace

WeightTime weight_time(const WeightTraffic& w, const WeightUnits& weights,
                       const WeightGroups& groups, Seconds forward, Seconds backward,
                       const Cluster& cluster, const Stack& stack) {
  const WeightCost cost = weight_cost(w, weights, groups, cluster, stack);
  const auto hidden_under = [&](Seconds compute, Seconds traffic) {
    return exposed(compute, traffic, w, stack);
  };
  Seconds hidden;
  Seconds bare;
  if (w.gather_backward) {
    (w.backward_gather_hides ? hidden : bare) += cost.gather_backward;
  }
  if (w.reduce_each_micro_batch) {
    (w.reduce_hides ? hidden : bare) += cost.reduce - cost.reduce_last;
    bare += cost.reduce_last;
  }
  const Seconds gathers = hidden_under(forward, cost.gather - cost.gather_first);
  WeightTime time;
  time.backward = hidden_under(backward, hidden) + bare;
  if (w.gather_forward) {
    time.forward = gathers + cost.gather_first;
  }
  if (w.gather_once) {
    time.once += gathers + cost.gather_first;
  }
  if (!w.reduce_each_micro_batch) {
    // Beside the gathers of the last micro-batch, which have taken their share of its backward.
    const Seconds reduce = cost.reduce - cost.reduce_last;
    const Seconds beside = hidden_under(backward, hidden + reduce) - hidden_under(backward, hidden);
    time.once += (w.reduce_hides ? beside : reduce) + cost.reduce_last;
  }
  return time;
}

}  // namespace cubicbench::sim
