#pragma once

#include <cstdint>
#include <utility>

#include "sim/engine/itemised/itemised_step.h"
#include "sim/engine/weight_time.h"

namespace cubicbench::sim {

/// Of a step all items, or transmissions alone, without what one of them costs.
enum class ItemDetail : std::uint8_t { all, traffic };

/// Collects kernels and transmissions of a step; those of one kind are one item.
class ItemList {
 public:
  ItemList(const Cluster& cluster, const Stack& stack, ItemisedStep& step,
           ItemDetail detail = ItemDetail::all)
      : cluster_(cluster), stack_(stack), step_(step), detail_(detail) {}

  /// An operation that is no collective, `passes` times; as `role` where it does not say its own.
  void add_kernel(const Operation& op, double passes, KernelRole role);

  /// A collective of a layer or table, `passes` times.
  void add_collective(const Operation& op, double passes, const Group& group, StepItem term);

  /// All collectives over these weights in a step of `micro_batches`.
  void add_weights(const SharedWeights& shared, double chunks, double micro_batches);

  /// `one` in `time` altogether; adds its cost. Nothing is sent in a group of one rank.
  void add(Transmission one);

 private:
  const Cluster& cluster_;
  const Stack& stack_;
  ItemisedStep& step_;
  ItemDetail detail_;
};

/// Divides `whole` in proportion to `a` and `b`; evenly where neither is anything.
std::pair<Seconds, Seconds> divided(Seconds whole, Seconds a, Seconds b);

/// What follows the report, of programs that were lowered and fit.
void itemise(StepProgram& program, const StepContext& on, ItemisedStep& step);
void itemise(const RecommendationProgram& program, const StepContext& on, ItemisedStep& step);

}  // namespace cubicbench::sim
