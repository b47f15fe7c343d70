#include "sim/engine/weight_time.h"

#include <algorithm>

#include "sim/engine/operation_time.h"
#include "sim/engine/unit_pass.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

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

WeightCost cost_alone(const SharedWeights& shared, const Cluster& cluster, const Stack& stack) {
  const WeightTraffic& w = shared.traffic;
  const WeightUnits& weights = shared.weights;
  const WeightGroups& groups = shared.groups;
  const Links gathers{cluster, stack};
  const Links reductions{cluster, stack, w.in_units ? 1.0 : weights.layers};
  const auto gather = [&](double parameters, double saved, const Group& group) {
    return gather_time(Bytes{parameters * w.gather_bytes_per_parameter - saved}, group, gathers);
  };
  const auto unit_cost = [&](double parameters, double trained, double frozen_saving) {
    const double gathered = w.in_units ? parameters : trained * parameters;
    const Bytes payload{trained * parameters * w.reduce_bytes_per_parameter};
    UnitCost cost;
    const double saved = frozen_saving * (gathered - trained * parameters);
    cost.gather = gather(gathered, saved, groups.shard);
    cost.gather_backward =
        w.backward_over_reshard_group ? gather(gathered, saved, groups.reshard) : cost.gather;
    if (trained == 0.0) return cost;
    if (!w.reduce_scatters) {
      cost.scatter = reduce_time(payload, groups.replica, reductions);
      return cost;
    }
    cost.scatter = gather_time(payload, groups.shard, reductions);
    cost.copy = reduce_time(payload / static_cast<double>(groups.shard.ranks), groups.replicate,
                            reductions);
    return cost;
  };
  WeightCost cost;
  cost.unit = unit_cost(weights.unit_parameters, weights.unit_trained, w.frozen_saving);
  const bool even = weights.last_parameters == weights.unit_parameters;
  cost.last =
      even ? cost.unit : unit_cost(weights.last_parameters, weights.unit_trained, w.frozen_saving);
  if (w.in_units && weights.end_parameters > 0.0) {
    cost.ends = unit_cost(weights.end_parameters, weights.ends_trained, 0.0);
  }
  return cost;
}

/// How FSDP units and compute share a device: both are slower by 1 + x while both run.
class Beside {
 public:
  explicit Beside(const Stack& stack) : x_(stack.overlap_cost) {}

  double speed_lost() const { return x_; }

  /// What compute `c` takes longer while traffic runs for `m`.
  Seconds slowed(Seconds c, Seconds m) const { return x_ * min(c, m); }
  /// What traffic `m` adds to compute `c` that goes on only when both are over.
  Seconds added(Seconds c, Seconds m) const { return slowed(c, m) + positive(m - c); }

 private:
  double x_;
};

/// A backward pass that reduces nothing [docs/models.md, Eq. D-1].
Seconds gathering(const UnitPass& p, const UnitOrder& order, const Beside& beside) {
  if (!order.gathers()) return {};
  if (!order.gathers_under_compute()) return (p.units - 1.0) * p.unit.gather + p.last.gather;
  Seconds sum = beside.added(p.head, p.last.gather);
  if (p.units > 1.0) sum += beside.added(p.last.compute, p.unit.gather);
  if (p.units > 2.0) sum += (p.units - 2.0) * beside.added(p.unit.compute, p.unit.gather);
  return sum;
}

/// What traffic adds to one unit, beside which the unit `before` is reduced and the next is
/// gathered.
Seconds middle(const Unit& unit, const Unit& before, const UnitOrder& order, const Beside& beside) {
  const Seconds scatter = before.scatter;
  const Seconds copy = before.copy;
  // Without gathers nothing waits for the stream.
  if (!order.gathers()) return beside.slowed(unit.compute, scatter + copy);
  if (order.gathers_under_compute()) {
    return max(beside.slowed(unit.compute, scatter + max(unit.gather, copy)),
               beside.added(unit.compute, scatter + unit.gather));
  }
  if (!order.waits_for_reductions()) {
    return unit.gather +
           max(beside.slowed(unit.compute, scatter + copy), beside.added(unit.compute, scatter));
  }
  return unit.gather + unit.scatter + beside.slowed(unit.compute, positive(copy - unit.gather));
}

/// A backward pass with reductions [docs/models.md, Eq. D-3, D-4]. The first unit has none beside
/// it, and nothing is gathered beside the one that is computed last, but what lies outside the
/// layers is reduced.
PassCost reducing_units(const UnitPass& p, const UnitOrder& order, const Beside& beside) {
  const bool stops = order.waits_for_reductions();
  const bool gathers = order.gathers();
  const bool prefetches = order.gathers_under_compute();
  const bool one = p.units < 1.5;
  const double between = std::max(p.units - 2.0, 0.0);
  const Unit& end = one ? p.last : p.unit;  // computed last
  const Unit before = one ? Unit{} : p.units < 2.5 ? p.last : p.unit;
  const Seconds bare = gathers && !prefetches && !one ? p.unit.gather : Seconds{};
  Seconds first = gathers && !prefetches ? p.last.gather : Seconds{};
  if (prefetches) {
    first = beside.added(p.head, p.last.gather);
    if (!one) first += beside.added(p.last.compute, p.unit.gather);
  }
  Seconds stream = before.scatter + p.end_scatter;  // beside the last one
  PassCost cost;
  cost.pass = first + bare;
  if (between > 0.0) {
    cost.pass += middle(p.unit, p.last, order, beside);
    if (between > 1.0) cost.pass += (between - 1.0) * middle(p.unit, p.unit, order, beside);
  }
  if (stops) {
    cost.pass += p.last.scatter + (one ? Seconds{} : p.unit.scatter) + p.end_scatter;
    cost.pass += beside.slowed(end.compute, positive(before.copy - bare) + p.end_copy);
    stream = Seconds{};
  } else {
    cost.pass += beside.slowed(end.compute, stream + before.copy);
    if (!gathers && between > 0.0) {  // what is late already
      const Seconds late = positive(p.last.scatter - p.unit.compute);
      stream += positive(late + (between - 1.0) * (p.unit.scatter - p.unit.compute));
    }
  }
  cost.scattering = positive(stream - end.compute) + (stops ? Seconds{} : end.scatter);
  cost.behind = cost.scattering + end.copy;
  if (end.copy.value == 0.0) return cost;
  const Seconds ends = p.end_copy - end.compute + (stops ? Seconds{} - end.scatter : stream);
  cost.behind = max(cost.behind, ends + end.copy);
  // Copies begin when the first unit is reduced, and are slowed while there is compute.
  const Seconds copies = (p.units - 1.0) * p.unit.copy + p.last.copy + p.end_copy;
  const Seconds computing = (p.units - 1.0) * p.unit.compute;
  const Seconds window =
      cost.pass - first + computing - p.last.scatter - beside.slowed(computing, copies);
  cost.behind = max(cost.behind, copies - positive(window));
  return cost;
}

/// The same to the end of what is computed after the units.
PassCost reducing(const UnitPass& p, const UnitOrder& order, const Beside& beside) {
  if (p.unit.copy.value > 0.0 && p.units <= unit_queue_max) {
    return played_pass(p, order, beside.speed_lost());
  }
  PassCost cost = reducing_units(p, order, beside);
  cost.pass += beside.slowed(p.tail, cost.behind);
  cost.scattering = positive(cost.scattering - p.tail);
  cost.behind = positive(cost.behind - p.tail);
  return cost;
}

/// Passes of a stage that are left when all but the last chunk's gradients are complete, or when
/// all but the first chunk's weights are needed: micro-batches pass each chunk in groups of as many
/// as there are stages. Without chunks it is the one pass that buckets fill in [docs/models.md, Eq.
/// D-8].
double passes_left(const WeightPasses& passes) {
  if (passes.chunks == 1.0) return 1.0;
  return std::min(passes.stages, passes.micro_batches) * (passes.chunks - 1.0) / passes.chunks;
}

/// Of collectives over weights beside passes, what the passes lose to them, which is hidden as far
/// as they wait for something else, and what follows them.
struct Exposed {
  Seconds lost;
  Seconds waited;
  Seconds rest;

  Seconds slowed() const { return positive(lost - waited); }
  Seconds total() const { return slowed() + rest; }
};

/// A pass of a stage, which may end in waiting for copies to the host.
struct Window {
  Seconds computes;
  Seconds waits;
};

/// What is left of collectives `all` over the weights of `layers` beside passes of a stage: nothing
/// hides the last chunk's, or without chunks the last layer's.
Exposed exposed_in_window(Window pass, Seconds all, double layers, const WeightPasses& passes,
                          const Stack& stack) {
  const Seconds least = (1.0 / (passes.chunks > 1.0 ? passes.chunks : std::max(layers, 1.0))) * all;
  const double left = passes_left(passes);
  const Seconds computing = left * pass.computes;
  const Seconds waiting = left * pass.waits;
  const Seconds beside = all - least;
  const Seconds lost = Beside(stack).slowed(computing, beside);
  return {lost, waiting, least + positive(beside + lost - computing - max(waiting, lost))};
}

/// Bucketed data parallelism hides a share o of its traffic, never more than the compute there is;
/// ZeRO-1 has a share of its own, for not every trainer overlaps both [docs/models.md, Eq. D-2].
/// Where kernels are counted the share is a switch [Eq. D-8].
Exposed exposed(Window pass, Seconds all, const WeightTraffic& w, double layers,
                const WeightPasses& passes, const Stack& stack) {
  const double share = w.reduce_scatters ? stack.zero1_overlap : stack.data_overlap;
  if (counts_kernels(stack) && share > 0.0) {
    return exposed_in_window(pass, all, layers, passes, stack);
  }
  return {Seconds{}, Seconds{}, max(all - pass.computes, (1.0 - share) * all)};
}

WeightTime bucket_time(const WeightTraffic& w, const WeightUnits& weights, const WeightCost& cost,
                       const WeightPasses& passes, const Stack& stack) {
  WeightTime time;
  const Seconds forward = passes.forward + passes.embedding + passes.inputs;
  const Seconds backward = passes.backward + passes.head + passes.inputs_backward;
  const Seconds reductions = cost.unit.scatter + cost.unit.copy;
  if (w.schedule.backward.reduces()) {
    const Exposed reduced =
        exposed({backward, passes.backward_wait}, reductions, w, weights.layers, passes, stack);
    const bool each = w.schedule.reduces_each_micro_batch();
    if (passes.chunks > 1.0) {  // beside passes of all stages at once
      (each ? time.after : time.end) = reduced.total();
    } else if (each) {
      time.backward = reduced.lost;  // what it waits is less by that
      time.after = reduced.rest;
    } else {
      time.last = reduced.slowed();
      time.end = reduced.rest;
    }
  }
  if (w.schedule.gathers_once()) {
    time.begin =
        exposed({forward, passes.forward_wait}, cost.unit.gather, w, weights.layers, passes, stack)
            .total();
    time.begin_beside = positive(stack.zero1_overlap * cost.unit.gather - forward);
  }
  return time;
}

/// The units of a chunk.
struct Units {
  double count = 1.0;
  double unit = 1.0;  ///< share of the chunk, of one of them
  double last = 1.0;  ///< and of the last one
};

Units units_of(const WeightUnits& weights, double chunks) {
  const double count = weights.units / chunks;
  const double all = (count - 1.0) * weights.unit_parameters + weights.last_parameters;
  if (all == 0.0) return {count, 1.0 / count, 1.0 / count};
  return {count, weights.unit_parameters / all, weights.last_parameters / all};
}

/// What the passes through the next chunk lose to reductions that the pass before them left: their
/// first gather waits for them, or they compute beside them.
Seconds held_up(const PassCost& left, const UnitPass& pass, double passes, const UnitOrder& order,
                const Beside& beside) {
  const Seconds chunk = (pass.units - 1.0) * pass.unit.compute + pass.last.compute;
  const Seconds awaited = order.gathers() ? left.scattering : Seconds{};
  return awaited + beside.slowed(passes * chunk, left.behind - awaited);
}

/// The same in the first micro-batch that follows through all stages, where each has reductions of
/// its own left: it falls behind them by what it loses, r, and by the hop to the next stage, and
/// the next chunk's are under way when it comes back that late:  d = r / (r + hop) (left - p hop -
/// d).
Seconds followed(const PassCost& left, const UnitPass& pass, const WeightPasses& passes,
                 const UnitOrder& order, const Beside& beside) {
  const Seconds chunk = (pass.units - 1.0) * pass.unit.compute + pass.last.compute;
  const Seconds goes_on = order.gathers() ? left.behind - left.scattering : left.behind;
  const Seconds lost = beside.slowed(chunk, goes_on);
  if (lost.value <= 0.0) return {};
  const double share = lost / (lost + passes.hop);
  const Seconds behind = (share / (1.0 + share)) * (goes_on - passes.stages * passes.hop);
  return min((passes.stages - 1.0) * lost, positive(behind));
}

/// What gathers add to the first forward pass over all chunks, or to every one.
struct ForwardCost {
  Seconds layers;
  Seconds ends;
};

ForwardCost forward_cost(const WeightSchedule& schedule, const WeightCost& cost, const Units& units,
                         const WeightPasses& passes, const Beside& beside) {
  const double chunks = passes.chunks;
  const Seconds chunk = passes.forward / chunks;
  const Seconds unit = units.unit * chunk;
  const Seconds gather = cost.unit.gather;
  const double between = units.count - 1.0;
  Seconds layers = beside.added(passes.inputs, between > 0.0 ? gather : cost.last.gather);
  if (between > 0.0) layers += beside.added(unit, cost.last.gather);
  if (between > 1.0) layers += (between - 1.0) * beside.added(unit, gather);
  ForwardCost forward{.layers = chunks * layers,
                      .ends = beside.added(units.last * chunk, cost.ends.gather)};
  if (schedule.gathers_once() && chunks > 1.0) {
    // Other micro-batches pass through the first chunk while the later ones are gathered.
    const Seconds others = ((chunks - 1.0) * passes.stages) * chunk;
    const Seconds later = (chunks - 1.0) * (between * gather + cost.last.gather);
    forward.layers = layers + beside.added(others, later);
  }
  return forward;
}

void add(double share, const UnitCost& more, UnitCost& cost) {
  cost.gather += share * more.gather;
  cost.gather_backward += share * more.gather_backward;
  cost.scatter += share * more.scatter;
  cost.copy += share * more.copy;
}

/// Reductions of experts follow those of the rest on their stream, and so do those between copies,
/// which run beside them. Where only some layers have experts, units have what they have on
/// average: each as often as its experts fill a layer.
void add_experts(const SharedWeights& experts, const Units& units, double chunks,
                 const Cluster& cluster, const Stack& stack, WeightCost& cost) {
  WeightUnits weights = experts.weights;
  if (!experts.traffic.in_units) {
    const UnitCost more = cost_alone(experts, cluster, stack).unit;
    const Seconds beside = min(cost.unit.copy, more.scatter);
    add(1.0, more, cost.unit);
    cost.unit.copy = cost.unit.copy - beside;
    return;
  }
  const double chunk = weights.parameters / chunks;
  const double layer = weights.parameters / weights.layers;
  weights.unit_parameters = std::max(units.unit * chunk, layer);
  weights.last_parameters = std::max(units.last * chunk, layer);
  const WeightCost whole = cost_alone({experts.traffic, weights, experts.groups}, cluster, stack);
  add(units.unit * chunk / weights.unit_parameters, whole.unit, cost.unit);
  add(units.last * chunk / weights.last_parameters, whole.last, cost.last);
}

/// The backward pass over a chunk with neither end of the model.
UnitPass backward_pass(const WeightCost& cost, const Units& units, const WeightPasses& passes) {
  const Seconds chunk = passes.backward / passes.chunks;
  const auto unit = [&](const UnitCost& of, double share) {
    return Unit{.compute = share * chunk,
                .gather = of.gather_backward,
                .scatter = of.scatter,
                .copy = of.copy};
  };
  return {.units = units.count,
          .unit = unit(cost.unit, units.unit),
          .last = unit(cost.last, units.last)};
}

}  // namespace

WeightCost only(WeightTravel travel, WeightCost cost) {
  for (UnitCost* unit : {&cost.unit, &cost.last, &cost.ends}) {
    if (travel == WeightTravel::gathers) unit->scatter = unit->copy = Seconds{};
    if (travel == WeightTravel::reductions) unit->gather = unit->gather_backward = Seconds{};
  }
  return cost;
}

WeightCost weight_cost(const SharedWeights& shared, double chunks, const Cluster& cluster,
                       const Stack& stack, const SharedWeights* experts) {
  WeightCost cost = cost_alone(shared, cluster, stack);
  if (experts != nullptr) {
    add_experts(*experts, units_of(shared.weights, chunks), chunks, cluster, stack, cost);
  }
  return cost;
}

WeightTime weight_time(const WeightTraffic& w, const WeightUnits& weights, const WeightCost& cost,
                       const WeightPasses& passes, const Stack& stack) {
  if (!w.in_units) return bucket_time(w, weights, cost, passes, stack);
  const Units units = units_of(weights, passes.chunks);
  const Beside beside(stack);
  WeightTime time;
  const WeightSchedule& schedule = w.schedule;
  const UnitOrder& order = schedule.backward;
  const ForwardCost forward = forward_cost(schedule, cost, units, passes, beside);
  if (schedule.forward.gathers()) {
    time.forward = forward.layers + forward.ends;
    time.ends_forward = forward.ends;
  }
  if (schedule.gathers_once()) time.begin = forward.layers + forward.ends;
  const UnitPass pass = backward_pass(cost, units, passes);
  UnitPass with_end = pass;
  with_end.head = passes.head;
  with_end.end_scatter = cost.ends.scatter;
  with_end.end_copy = cost.ends.copy;
  with_end.tail = passes.inputs_backward;
  if (passes.stages == 1.0 && passes.turns) {  // the first gather of the way back is under way
    with_end.head += positive(units.last * passes.forward - cost.ends.gather);
  }
  const double others = passes.chunks - 1.0;
  if (order.reduces() && schedule.reduces_each_micro_batch()) {
    const PassCost reduces_end = reducing(with_end, order, beside);
    const Seconds end = reduces_end.pass + reduces_end.behind;
    time.backward = end;
    if (others > 0.0) {
      const PassCost reduces = pass == with_end ? reduces_end : reducing(pass, order, beside);
      const Seconds other = reduces.pass + reduces.behind;
      time.backward += others * other;
      time.ends_backward = end - other;
    }
    return time;
  }
  const Seconds other = gathering(pass, order, beside);
  const Seconds end = gathering(with_end, order, beside);
  time.backward = others * other + end;
  time.ends_backward = end - other;
  if (!order.reduces()) return time;
  const PassCost reduces_end = reducing(with_end, order, beside);
  time.last = reduces_end.pass - time.backward;
  time.end = reduces_end.behind;
  if (others > 0.0) {
    const PassCost reduces = pass == with_end ? reduces_end : reducing(pass, order, beside);
    time.between = held_up(reduces, pass, passes.stages - 1.0, order, beside);
    time.followed = followed(reduces, pass, passes, order, beside);
    time.last = others * reduces.pass + reduces_end.pass - time.backward;
    if (passes.head.value != 0.0) time.end = reduces.behind;
  }
  return time;
}

}  // namespace cubicbench::sim
