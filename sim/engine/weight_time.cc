#include "sim/engine/weight_time.h"

#include <algorithm>

#include "sim/engine/operation_time.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

/// Weight collectives of one pass over the weights.
struct WeightCost {
  Seconds gather{};               ///< over the sharding group, of the layers
  Seconds gather_ends;            ///< of what lies outside them
  Seconds gather_backward;        ///< over the group that backward gathers from
  Seconds gather_first;           ///< one unit, before there is compute to hide it
  Seconds gather_backward_first;  ///< the same of a backward pass
  Seconds scatter{};              ///< reductions inside the sharding group
  Seconds copy{};                 ///< and across its copies
  Seconds scatter_last;           ///< one unit, after there is compute to hide it
  Seconds copy_last;
  Seconds scatter_ends;  ///< of what lies outside the layers
  Seconds copy_ends;
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
    cost.scatter_ends = root.inside;
    cost.copy_ends = root.across;
  }
  return cost;
}

double speed_lost(const Stack& stack) {
  return stack.overlap_cost < 1.0 ? stack.overlap_cost : 1.0;
}

Seconds positive(Seconds time) { return max(time, Seconds{}); }

/// How FSDP units and compute share a device: both are slower by 1 + x while both run.
class Beside {
 public:
  explicit Beside(const Stack& stack) : x_(speed_lost(stack)) {}

  /// What compute `c` takes longer while traffic runs for `m`.
  Seconds slowed(Seconds c, Seconds m) const { return x_ * min(c, m); }
  /// What traffic `m` adds to compute `c` that goes on only when both are over.
  Seconds added(Seconds c, Seconds m) const { return slowed(c, m) + positive(m - c); }

 private:
  double x_;
};

/// One pass over one chunk of u equal units, by what each of them computes and moves.
struct UnitPass {
  double units = 1.0;
  Seconds compute{};      ///< b, of a unit
  Seconds gather{};       ///< g, of the next unit
  Seconds scatter{};      ///< s, of the unit before
  Seconds copy{};         ///< k
  Seconds head{};         ///< computed before the first unit
  Seconds end_scatter{};  ///< of weights outside the layers, beside the last unit
  Seconds end_copy{};
};

/// What traffic adds to the pass itself, and what goes on when it is over.
struct PassCost {
  Seconds pass;
  Seconds behind;
};

/// A backward pass that reduces nothing [docs/models.md, Eq. D-1].
Seconds gathering(const UnitPass& p, const WeightTraffic& w, const Beside& beside) {
  if (!w.gather_backward) return {};
  if (!w.backward_gather_hides) return p.units * p.gather;
  return beside.added(p.head, p.gather) + (p.units - 1.0) * beside.added(p.compute, p.gather);
}

/// What traffic adds to one unit, beside which the unit before is reduced.
Seconds middle(const UnitPass& p, const WeightTraffic& w, const Beside& beside) {
  if (!w.gather_backward) {  // nothing waits for the stream
    return beside.slowed(p.compute, p.scatter + p.copy);
  }
  if (w.backward_gather_hides) {
    return max(beside.slowed(p.compute, p.scatter + max(p.gather, p.copy)),
               beside.added(p.compute, p.scatter + p.gather));
  }
  if (w.reduce_hides) {
    return p.gather +
           max(beside.slowed(p.compute, p.scatter + p.copy), beside.added(p.compute, p.scatter));
  }
  return p.gather + p.scatter + beside.slowed(p.compute, positive(p.copy - p.gather));
}

/// A backward pass with reductions [docs/models.md, Eq. D-3, D-4]. The first unit has none beside
/// it, and nothing is gathered beside the last one, but what lies outside the layers is reduced.
PassCost reducing(const UnitPass& p, const WeightTraffic& w, const Beside& beside) {
  const bool stops = !w.reduce_hides;  // for every reduction
  const bool prefetches = w.gather_backward && w.backward_gather_hides;
  const double between = std::max(p.units - 2.0, 0.0);
  const double rest =
      std::min(p.units - 1.0, 1.0);  // whether there is a last unit beside the first
  const Seconds bare = w.gather_backward && !prefetches ? p.gather : Seconds{};
  Seconds first =
      prefetches ? beside.added(p.head, p.gather) + rest * beside.added(p.compute, p.gather) : bare;
  Seconds stream = rest * p.scatter + p.end_scatter;  // beside the last unit
  Seconds copies = rest * p.copy;
  PassCost cost;
  const Seconds unit = middle(p, w, beside);
  cost.pass = first + between * unit;
  if (stops) {
    cost.pass += rest * (bare + p.scatter) + p.end_scatter + p.scatter +
                 beside.slowed(p.compute, positive(copies - bare) + p.end_copy);
    stream = Seconds{};
  } else {
    cost.pass += rest * bare + beside.slowed(p.compute, stream + copies);
    if (!w.gather_backward) {  // what ran behind all along
      stream += between * positive(p.scatter - p.compute);
    }
  }
  const Seconds left = positive(stream - p.compute) + (stops ? Seconds{} : p.scatter);
  // Copies begin when the first unit is reduced, and are slowed while there is compute.
  const Seconds moved = cost.pass - first + (p.units - 1.0) * p.compute - p.scatter -
                        beside.slowed((p.units - 1.0) * p.compute, p.units * p.copy);
  cost.behind = left + p.copy;
  cost.behind = max(cost.behind, p.units * p.copy + p.end_copy - positive(moved));
  if (p.copy.value == 0.0) cost.behind = left;
  return cost;
}

/// Bucketed data parallelism hides a share o of its traffic, never more than the compute there is;
/// ZeRO-1 has a share of its own, for not every trainer overlaps both [docs/models.md, Eq. D-2].
Seconds exposed(Seconds c, Seconds all, const WeightTraffic& w, const Stack& stack) {
  const double share = w.reduce_scatters ? stack.zero1_overlap : stack.data_overlap;
  return max(all - c, (1.0 - share) * all);
}

WeightTime bucket_time(const WeightTraffic& w, const WeightCost& cost, const WeightPasses& passes,
                       const Stack& stack) {
  WeightTime time;
  const Seconds forward = passes.forward + passes.embedding;
  const Seconds backward = passes.backward + passes.head;
  const Seconds reduced = exposed(backward, cost.scatter + cost.copy, w, stack);
  (w.reduce_each_micro_batch ? time.after : time.end) = reduced;
  if (w.gather_once) time.begin = exposed(forward, cost.gather, w, stack);
  return time;
}

/// What gathers add to the first forward pass over all chunks, or to every one.
struct ForwardCost {
  Seconds layers;
  Seconds ends;
};

ForwardCost forward_cost(const WeightTraffic& w, const WeightCost& cost, double units,
                         const WeightPasses& passes, const Beside& beside) {
  const double chunks = passes.chunks;
  const Seconds unit = passes.forward / (chunks * units);
  ForwardCost forward;
  if (w.gather_once && chunks > 1.0) {
    // Other micro-batches pass through the first chunk while the later ones are gathered.
    const Seconds others = (1.0 - 1.0 / chunks) * passes.stages * passes.forward;
    const Seconds later = ((chunks - 1.0) * units) * cost.gather_first;
    forward.layers = beside.added(others, later) + cost.gather_first +
                     (units - 1.0) * beside.added(unit, cost.gather_first);
  } else {
    forward.layers =
        chunks * (cost.gather_first + (units - 1.0) * beside.added(unit, cost.gather_first));
  }
  forward.ends = beside.added(unit, cost.gather_ends);
  return forward;
}

}  // namespace

WeightTime weight_time(const WeightTraffic& w, const WeightUnits& weights,
                       const WeightGroups& groups, const WeightPasses& passes,
                       const Cluster& cluster, const Stack& stack) {
  const WeightCost cost = weight_cost(w, weights, groups, cluster, stack);
  if (!w.in_units) return bucket_time(w, cost, passes, stack);
  const Beside beside(stack);
  const double chunks = passes.chunks;
  const double units = weights.units / chunks;
  WeightTime time;
  const ForwardCost forward = forward_cost(w, cost, units, passes, beside);
  if (w.gather_forward) {
    time.forward = forward.layers + forward.ends;
    time.ends_forward = forward.ends;
  }
  if (w.gather_once) time.begin = forward.layers + forward.ends;
  UnitPass pass{.units = units,
                .compute = passes.backward / weights.units,
                .gather = cost.gather_backward_first,
                .scatter = cost.scatter_last,
                .copy = cost.copy_last};
  // What a pass with an end of the model has beside the others.
  UnitPass with_end = pass;
  with_end.head = passes.head;
  with_end.end_scatter = cost.scatter_ends;
  with_end.end_copy = cost.copy_ends;
  if (passes.stages == 1.0 && w.gather_backward && w.backward_gather_hides) {
    with_end.head += positive(passes.forward / weights.units - cost.gather_ends);
  }
  const double others = chunks - 1.0;
  const Seconds gathers = others * gathering(pass, w, beside);
  const Seconds gathers_end = gathering(with_end, w, beside);
  const PassCost reduces = reducing(pass, w, beside);
  const PassCost reduces_end = reducing(with_end, w, beside);
  if (w.reduce_each_micro_batch) {
    const Seconds end = reduces_end.pass + reduces_end.behind;
    const Seconds other = reduces.pass + reduces.behind;
    time.backward = others * other + end;
    time.ends_backward = end - other;
  } else {
    time.backward = gathers + gathers_end;
    time.ends_backward = gathers_end - gathering(pass, w, beside);
    time.last = others * reduces.pass + reduces_end.pass - time.backward;
    time.end = chunks == 1.0 || passes.head.value == 0.0 ? reduces_end.behind : reduces.behind;
  }
  return time;
}

}  // namespace cubicbench::sim
