#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/program/weights.h"

namespace cubicbench::sim {

/// What weight gathers and gradient reductions add to a step beyond the compute that they hide
/// under [docs/models.md, section D].
struct WeightTime {
  Seconds forward;        ///< to the forward pass of each micro-batch
  Seconds backward;       ///< to its backward pass
  Seconds after;          ///< and after it, when its gradients have been sent to the stage before
  Seconds begin;          ///< to the step, before its first pass has ended
  Seconds begin_beside;   ///< of `begin`, what is longer than the pass that it runs beside
  Seconds last;           ///< to its last backward pass
  Seconds between;        ///< and, where it is divided into chunks, between two of them
  Seconds followed;       ///< in the stages that a micro-batch goes through there
  Seconds end;            ///< to the step, after its last pass
  Seconds ends_forward;   ///< of `forward`, by the weights outside the layers
  Seconds ends_backward;  ///< and of `backward`
};

/// Passes of one micro-batch over these weights.
struct WeightPasses {
  Seconds forward;  ///< over the layers
  Seconds backward;
  Seconds embedding{};        ///< before the forward pass, in the first chunk
  Seconds head{};             ///< before the backward pass, in the last one
  Seconds inputs{};           ///< before the first layer, beside the first unit's gather
  Seconds inputs_backward{};  ///< after the last layer's backward pass
  Seconds forward_wait{};     ///< that each pass waits for copies to the host, whatever the weights
  Seconds backward_wait{};
  double chunks = 1.0;  ///< passes that each is divided into
  double stages = 1.0;  ///< of the pipeline: micro-batches pass each chunk in groups of as many
  double micro_batches = 1.0;
  Seconds hop{};      ///< to the next of them
  bool turns = true;  ///< without a pipeline: the backward pass follows the forward pass at once
};

/// Weights that ranks share, and how they travel.
struct SharedWeights {
  const WeightTraffic& traffic;
  const WeightUnits& weights;
  const WeightGroups& groups;
};

/// Collectives over the weights of one unit.
struct UnitCost {
  Seconds gather;           ///< over the sharding group
  Seconds gather_backward;  ///< over the group that backward gathers from
  Seconds scatter;          ///< reduction inside the sharding group
  Seconds copy;             ///< and across its copies
};

/// Of all units but the last one of a pass, of that one, and of what lies outside the layers.
struct WeightCost {
  UnitCost unit;
  UnitCost last;
  UnitCost ends;
};

/// The collectives over weights, or one kind of them.
enum class WeightTravel { all, gathers, reductions };

/// `cost` as if the other kind took no time.
WeightCost only(WeightTravel travel, WeightCost cost);

/// What collectives take on their own, whatever is computed beside them, in passes of `chunks`
/// chunks. Weights of experts, if there are, travel with the unit of the layer that they are of,
/// over groups of their own: on one stream, so that the times of both add up. Of the traffic it
/// reads what a parameter weighs and among whom it travels, not when.
WeightCost weight_cost(const SharedWeights& shared, double chunks, const Cluster& cluster,
                       const Stack& stack, const SharedWeights* experts = nullptr);

/// What they add to passes beside which they run.
WeightTime weight_time(const WeightTraffic& traffic, const WeightUnits& weights,
                       const WeightCost& cost, const WeightPasses& passes, const Stack& stack);

}  // namespace cubicbench::sim
